// Reads JSON within a larger text, using that text's budget.

import type { JsonValue } from "@bufbuild/protobuf";
import { type ReadBudget, type ReadPosition, UnreadableText } from "./budget.ts";
import { readJsonText } from "./json-text.ts";
import { measureJson } from "./measure-json.ts";
import { makeJsonStorable } from "./storable-text.ts";

/** Parses a line or a cell. The position of an error also contains the path within it. */
export function readJsonValue(text: string, budget: ReadBudget, position: ReadPosition): JsonValue {
  const { limits, spentValues } = budget;
  const { values } = measureJson(Buffer.from(text), { values: limits.values - spentValues });
  budget.spendValues(values, position);
  try {
    return makeJsonStorable(readJsonText(text, limits), budget);
  } catch (error) {
    if (!(error instanceof UnreadableText)) throw error;
    throw new UnreadableText(error.problem, { ...position, path: error.position.path ?? "$" }, error.reason);
  }
}
