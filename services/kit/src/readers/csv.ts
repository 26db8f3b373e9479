// CSV and TSV from spreadsheets and programs.

import { pipeline } from "node:stream";
import { type ReadBudget, UnreadableText } from "./budget.ts";
import { decodeText } from "./decode-text.ts";
import { Pace } from "./pace.ts";

export interface TableRow {
  /** Number of the row, from 1; empty lines are not counted. */
  readonly row: number;
  readonly cells: readonly string[];
}

/** Characters that the parser processes at once: a few milliseconds of work. */
const sliceLength = 16 * 1024;

/**
 * Reads the rows of a table. A value is a cell. The delimiter is the most frequent one in the first row, or the one in
 * a line `sep=;`. Cells are counted before the parser allocates them, so that a row of a million commas costs nothing.
 */
export async function* readCsv(input: Uint8Array | string, budget: ReadBudget): AsyncGenerator<TableRow> {
  const decoded = decodeText(input, budget);
  const named = /^sep=([^\r\n])(?:\r\n?|\n)/i.exec(decoded);
  const text = named === null ? decoded : decoded.slice(named[0].length);
  const delimiter = named?.[1] ?? findDelimiter(text);
  const { parse } = await import("csv-parse");
  const parser = parse({ delimiter, relax_column_count: true, skip_empty_lines: true });
  // The loop below throws the pipeline's errors.
  const records: AsyncIterable<string[]> = pipeline(countedSlices(text, delimiter, budget), parser, () => {});
  let row = 0;
  try {
    for await (const cells of records) {
      row += 1;
      budget.spendColumns(cells.length, { row, column: budget.limits.columns + 1 });
      yield { row, cells };
    }
    // The parser counts the end of the last line, too.
    budget.emptyLines += Math.max(0, parser.info.empty_lines - (/[\r\n]$/.test(text) ? 1 : 0));
  } catch (error) {
    throw isCsvError(error) ? new UnreadableText(describe(error), { row: error.records + 1 }) : error;
  }
}

async function* countedSlices(text: string, delimiter: string, budget: ReadBudget): AsyncGenerator<string> {
  const counter = new CellCounter(delimiter, budget);
  const pace = new Pace();
  for (let at = 0; at < text.length; ) {
    const slice = text.slice(at, at + sliceLength);
    // The parser encodes each slice separately, so a slice must not end within a surrogate pair.
    const whole = slice.isWellFormed() ? slice : text.slice(at, at + sliceLength + 1);
    counter.count(whole);
    if (pace.isDue) await pace.turn();
    yield whole;
    at += whole.length;
  }
}

const [quote, lineFeed, carriageReturn] = [34, 10, 13];

/** Counts the cells of slices in the same way as the parser. */
class CellCounter {
  readonly #delimiter: number;
  readonly #budget: ReadBudget;
  #row = 1;
  /** Delimiters in the current row so far. */
  #delimiters = 0;
  #isQuoted = false;
  /** True at the beginning of a cell, and after a closing quote, which a second quote would make part of the cell. */
  #mayQuote = true;
  #isRowEmpty = true;

  constructor(delimiter: string, budget: ReadBudget) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#budget = budget;
  }

  count(slice: string): void {
    let cells = 0;
    for (let at = 0; at < slice.length; at++) {
      if (this.#isQuoted) {
        at = slice.indexOf('"', at);
        if (at === -1) break;
        [this.#isQuoted, this.#mayQuote] = [false, true];
        continue;
      }
      const code = slice.charCodeAt(at);
      if (code === quote && this.#mayQuote) {
        this.#isQuoted = true;
        this.#isRowEmpty = false;
      } else if (code === this.#delimiter) {
        cells += 1;
        this.#delimiters += 1;
        this.#budget.spendColumns(this.#delimiters + 1, { row: this.#row, column: this.#delimiters + 1 });
        [this.#mayQuote, this.#isRowEmpty] = [true, false];
      } else if (code === lineFeed || code === carriageReturn) {
        if (!this.#isRowEmpty) {
          cells += 1;
          this.#row += 1;
        }
        [this.#delimiters, this.#mayQuote, this.#isRowEmpty] = [0, true, true];
      } else [this.#mayQuote, this.#isRowEmpty] = [false, false];
    }
    this.#budget.spendValues(cells, { row: this.#row });
  }
}

const delimiters = [",", ";", "\t"];

/** Maximum characters to examine for the delimiter. */
const sampleLength = 64 * 1024;

/** Finds the delimiter that is most frequent outside quotes in the first row with text. */
function findDelimiter(whole: string): string {
  const text = whole.slice(0, sampleLength);
  const start = text.search(/[^\r\n]/);
  const counts = new Map(delimiters.map((delimiter) => [delimiter, 0]));
  let isQuoted = false;
  for (let at = Math.max(0, start); at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === "\n" || character === "\r") break;
    else {
      const count = counts.get(character);
      if (count !== undefined) counts.set(character, count + 1);
    }
  }
  const most = Math.max(...counts.values());
  return delimiters.find((delimiter) => counts.get(delimiter) === most) ?? ",";
}

interface CsvError extends Error {
  readonly code: string;
  /** Number of rows before the error. */
  readonly records: number;
}

function isCsvError(error: unknown): error is CsvError {
  return error instanceof Error && "code" in error && /^(?:CSV|INVALID)_/.test(String(error.code));
}

function describe({ code, message }: CsvError): string {
  if (code === "CSV_QUOTE_NOT_CLOSED") return "A quote is not closed";
  if (code === "INVALID_OPENING_QUOTE") return "A cell contains a quote: put the cell into quotes and double the quote";
  if (code === "CSV_INVALID_CLOSING_QUOTE") return "Text follows the quote that closes a cell";
  return `The text is not CSV: ${message}`;
}
