// Formats tables and bars for a terminal.

import stringWidth from "string-width";
import { oneLine } from "./terminal.ts";

export interface Column {
  readonly title: string;
  readonly alignRight?: boolean;
}

const cellMax = 60;
const segmenter = new Intl.Segmenter();

/** Formats a table: columns as wide as their widest cell, two spaces apart. A string in `heads` is left-aligned. */
export function table(heads: readonly (Column | string)[], rows: readonly (readonly unknown[])[]): string {
  const columns = heads.map((head): Column => (typeof head === "string" ? { title: head } : head));
  const cells = rows.map((row) => row.map(cell));
  const widths = columns.map(({ title }, at) =>
    Math.max(stringWidth(title), ...cells.map((row) => stringWidth(row[at] ?? ""))),
  );
  const line = (row: readonly string[]) =>
    row
      .map((text, at) => pad(text, widths[at] ?? 0, columns[at]?.alignRight === true))
      .join("  ")
      .trimEnd();
  return [line(columns.map(({ title }) => title)), ...cells.map(line)].join("\n");
}

/** Formats a value on one line, truncated to `cellMax`. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return "–";
  const text =
    typeof value === "object" ? (Object.hasOwn(value, "name") ? named(value) : JSON.stringify(value)) : `${value}`;
  const line = oneLine(text);
  if (stringWidth(line) <= cellMax) return line;
  let truncated = "";
  for (const { segment } of segmenter.segment(line)) {
    if (stringWidth(truncated + segment) >= cellMax) break;
    truncated += segment;
  }
  return `${truncated}…`;
}

/** Splits a text into lines and makes each safe for a terminal. */
export function lines(text: string): string[] {
  return text.split(/\r?\n/).map(oneLine);
}

/** Draws a bar for `value`, to an eighth of a cell. A value of `max` fills `cells` cells. */
export function bar(value: number, max: number, cells: number): string {
  if (!(max > 0) || !(value > 0)) return "";
  const eighths = Math.max(1, Math.round((value / max) * cells * 8));
  return "█".repeat(Math.floor(eighths / 8)) + ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
}

function named(value: object): string {
  return String((value as { name: unknown }).name);
}

function pad(text: string, to: number, alignRight: boolean): string {
  const space = " ".repeat(Math.max(0, to - stringWidth(text)));
  return alignRight ? space + text : text + space;
}
