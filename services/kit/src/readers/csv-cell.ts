// Cells of CSV files that spreadsheets open: an apostrophe keeps a text from running as a formula.

/** Begins a file, so that spreadsheets recognize UTF-8. */
export const byteOrderMark = "\uFEFF";

/** Formulas, and texts that begin with apostrophes before one, so that `readCsvCell` restores every text. */
const formula = /^'*\s*[=+\-@|%\t\r\n]/;

/** Formats a text as a cell (RFC 4180), with quotes where delimiters of spreadsheets need them. */
export function formatCsvCell(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",\r\n;\t]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns the text of a cell that `formatCsvCell` or a person protected with an apostrophe. */
export function readCsvCell(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}
