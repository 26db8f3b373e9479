// Formats a report as CSV, with units and time zone in the header and numbers as in the API.

import { type Cell, csvText, type Field } from "../ui/csv/csv.ts";
import { readInterval, readReference } from "./query.ts";
import { type ResultColumn, type Row, unitWords } from "./report-words.ts";

export const toCsv = (columns: readonly ResultColumn[], rows: readonly Row[], timeZone: string): string =>
  csvText(
    columns.flatMap((column) => buildFields(column, timeZone)),
    rows,
  );

function buildFields({ id, name, type, unit, column, trunc }: ResultColumn, timeZone: string): Field<Row>[] {
  const measured = unitWords[unit];
  const namesUnit = measured === "" || name.includes(`(${measured})`) || !["number", "interval"].includes(type);
  const title = (what: string) => (namesUnit ? what : `${what} (${measured})`);
  if (type === "interval") {
    return [
      { title: title(`${name}, lower bound`), cell: (row) => readInterval(row, id)?.low ?? null },
      { title: title(`${name}, upper bound`), cell: (row) => readInterval(row, id)?.high ?? null },
      { title: `${name}, number of values`, cell: (row) => readInterval(row, id)?.n ?? null },
    ];
  }
  if (column?.isReference === true) {
    return [
      { title: name, cell: (row) => readReference(row, id)?.name ?? null },
      { title: `${name} ID`, cell: (row) => readReference(row, id)?.id ?? null },
    ];
  }
  if (type === "date") {
    if (trunc == null || trunc === "hour") return [{ title: `${name} (UTC)`, cell: (row) => plain(row[id]) }];
    const local = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
    const day = (value: unknown) => (typeof value === "string" ? local.format(new Date(value)) : null);
    return [
      {
        title: `${name} (${trunc === "day" ? "day" : `first day of the ${trunc}`}, ${timeZone})`,
        cell: (row) => day(row[id]),
      },
    ];
  }
  return [{ title: title(name), cell: (row) => plain(row[id]) }];
}

function plain(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  return typeof value === "number" || typeof value === "boolean" ? value : String(value);
}
