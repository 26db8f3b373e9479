// Rows in a terminal.

export interface Column {
  readonly title: string;
  readonly alignRight?: boolean;
}

const cellMax = 60;
const segmenter = new Intl.Segmenter();

/** Columns as wide as what stands in them, two spaces between. */
export function table(columns: readonly Column[], rows: readonly (readonly unknown[])[]): string {
  const cells = rows.map((row) => row.map(cell));
  const widths = columns.map(({ title }, at) => Math.max(width(title), ...cells.map((row) => width(row[at] ?? ""))));
  const line = (row: readonly string[]) =>
    row
      .map((text, at) => pad(text, widths[at] ?? 0, columns[at]?.alignRight === true))
      .join("  ")
      .trimEnd();
  return [line(columns.map(({ title }) => title)), ...cells.map(line)].join("\n");
}

/** One line, of characters that do nothing to a terminal; cut when it is long. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return "–";
  const text =
    typeof value === "object" ? (Object.hasOwn(value, "name") ? named(value) : JSON.stringify(value)) : `${value}`;
  const line = plain(text);
  const letters = [...segmenter.segment(line)].map(({ segment }) => segment);
  return letters.length <= cellMax ? line : `${letters.slice(0, cellMax - 1).join("")}…`;
}

/** Text of several lines, of characters that do nothing to a terminal. */
export function lines(text: string): string[] {
  return text.split(/\r?\n/).map(plain);
}

/** A bar of at most `cells` cells for `value` of `max`, in eighths of a cell. */
export function bar(value: number, max: number, cells: number): string {
  if (!(max > 0) || !(value > 0)) return "";
  const eighths = Math.max(1, Math.round((value / max) * cells * 8));
  return "█".repeat(Math.floor(eighths / 8)) + ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
}

/** One line of any length, of characters that do nothing to a terminal. */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, " ");
}

function named(value: object): string {
  return String((value as { name: unknown }).name);
}

function width(text: string): number {
  return [...segmenter.segment(text)].length;
}

function pad(text: string, to: number, alignRight: boolean): string {
  const space = " ".repeat(Math.max(0, to - width(text)));
  return alignRight ? space + text : text + space;
}
