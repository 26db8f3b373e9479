import { parse } from "csv-parse/sync";
import { delimiterOf } from "./delimiter.ts";
import { cellsMax } from "./limits.ts";
import { Refusal } from "./refusal.ts";
import { markdownTable, tooManyCells } from "./table.ts";
import { textOf } from "./text.ts";

/** A table. */
export function csvText(bytes: Uint8Array): string {
  const text = textOf(bytes);
  const delimiter = delimiterOf(text);
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
