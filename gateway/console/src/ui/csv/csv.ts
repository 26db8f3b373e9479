// Formats CSV (RFC 4180) for spreadsheets.

export type Cell = string | number | boolean | null;

export interface Field<Row> {
  readonly title: string;
  readonly cell: (row: Row) => Cell;
}

export function csvText<Row>(fields: readonly Field<Row>[], rows: readonly Row[]): string {
  const lines = [
    fields.map(({ title }) => written(title)),
    ...rows.map((row) => fields.map(({ cell }) => written(cell(row)))),
  ];
  // Begin with a byte order mark, by which spreadsheets recognize UTF-8.
  return `\uFEFF${lines.map((line) => line.join(",")).join("\r\n")}\r\n`;
}

/** Formats a cell. Puts an apostrophe before a text that a spreadsheet would run as a formula. */
function written(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  const text = /^'*\s*[=+\-@|%\t\r\n]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
