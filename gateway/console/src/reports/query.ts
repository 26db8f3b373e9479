// Reads values from report rows: rates, intervals, counts and references.

import { post, type Schemas } from "../api/request.ts";
import { dateFormat } from "../ui/locale.ts";
import { today } from "../url/day-range.ts";

export type ReportQuery = Schemas["QueryReportRequest"];

export const queryReport = (body: ReportQuery) => post("/v0/reporting/query", { body });

/** The viewer's time zone. Computed once, because creating a formatter takes milliseconds. */

export interface Interval {
  readonly low: number;
  readonly high: number;
  readonly n: number;
}

export type Row = Readonly<Record<string, unknown>>;

export const readNumber = (row: Row, id: string): number | null => (typeof row[id] === "number" ? row[id] : null);
export const textOfColumn = (row: Row, id: string): string | null => (typeof row[id] === "string" ? row[id] : null);

export function readInterval(row: Row, id: string): Interval | null {
  const value = row[id];
  if (typeof value !== "object" || value === null) return null;
  const { low, high, n } = value as Partial<Record<keyof Interval, unknown>>;
  return typeof low === "number" && typeof high === "number" && typeof n === "number" ? { low, high, n } : null;
}

/** Reads a reference `{id, name}`; null if missing. */
export function readReference(row: Row, id: string): { id: string; name: string } | null {
  const value = row[id];
  if (typeof value !== "object" || value === null || !("id" in value)) return null;
  return { id: String(value.id), name: "name" in value && value.name !== null ? String(value.name) : String(value.id) };
}

const shortDay = dateFormat({ day: "numeric", month: "short" });

/** Formats the start of a time bucket as a date in the viewer's time zone. */
export const bucketLabel = (iso: string) => shortDay.format(new Date(iso));

/** Maps the dates of a daily report, in the viewer's time zone, to their rows. */
export const rowsByDay = (rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [today(new Date(textOfColumn(row, "createdAt") ?? "")), row]));
