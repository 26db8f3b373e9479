// JSON Lines: one JSON value per line.

import type { JsonValue } from "@bufbuild/protobuf";
import { type ReadBudget, UnreadableText } from "./budget.ts";
import { decodeText } from "./decode-text.ts";
import { readJsonValue } from "./json-value.ts";
import { Pace } from "./pace.ts";

/** A line with its value or its error; later lines are read in either case. */
export type JsonLine = { readonly row: number } & (
  | { readonly value: JsonValue; readonly error?: undefined }
  | { readonly error: UnreadableText; readonly value?: undefined }
);

/** Reads the lines that have text. A line that exceeds a limit ends the read. */
export async function* readJsonl(input: Uint8Array | string, budget: ReadBudget): AsyncGenerator<JsonLine> {
  const text = decodeText(input, budget);
  const pace = new Pace();
  for (let start = 0, row = 1; start < text.length; row++) {
    const lineFeed = text.indexOf("\n", start);
    const end = lineFeed === -1 ? text.length : lineFeed;
    const line = text.slice(start, end);
    start = end + 1;
    if (pace.isDue) await pace.turn();
    if (line.trim() !== "") yield readLine(line, row, budget);
    else budget.emptyLines += 1;
  }
}

function readLine(line: string, row: number, budget: ReadBudget): JsonLine {
  try {
    return { row, value: readJsonValue(line, budget, { row }) };
  } catch (error) {
    if (error instanceof UnreadableText && error.reason === "INVALID") return { row, error };
    throw error;
  }
}
