import { parse } from "csv-parse/sync";
import { cellsMax } from "./limits.ts";
import { Refusal } from "./refusal.ts";
import { markdownTable, tooManyCells } from "./table.ts";
import { textOf } from "./text.ts";

const delimiters = [",", ";", "\t"];

/** A table with the delimiter that the first line has most of. */
export function csvText(bytes: Uint8Array): string {
  const text = textOf(bytes);
  const [firstLine = ""] = text.split("\n", 1);
  const counts = delimiters.map((delimiter) => firstLine.split(delimiter).length);
  const delimiter = delimiters[counts.indexOf(Math.max(...counts))] ?? ",";
  let cells = 0;
  const countCells = (record: string[]) => {
    cells += record.length;
    if (cells > cellsMax) throw tooManyCells();
    return record;
  };
  try {
    const options = { delimiter, bom: true, relax_column_count: true, skip_empty_lines: true, on_record: countCells };
    return markdownTable(parse(text, options) as string[][]);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(`The file is not CSV: ${error instanceof Error ? error.message : error}`.slice(0, 300));
  }
}
