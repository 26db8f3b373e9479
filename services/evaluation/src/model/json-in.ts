// Reads JSON from a model or its provider: limits it before parsing, and makes it storable.

import type { JsonValue } from "@bufbuild/protobuf";
import { withDoubles } from "@ems/kit/json/exact-number";
import { type JsonTextLimits, makeJsonStorable, tryReadJsonText } from "@ems/kit/readers";

/** No judge's schema comes near 10 levels or 10,000 values. The size of an answer is limited while it is received. */
const limits: JsonTextLimits = { values: 100_000, depth: 64, bytes: Infinity };

/** Returns the JSON in a text, with storable texts; undefined if there is none or if it exceeds the limits. */
export function readJson(text: string): JsonValue | undefined {
  const json = tryReadJsonText(text, limits);
  // Answers and usage are typed values, whose numbers are doubles.
  return json === undefined ? undefined : makeJsonStorable(withDoubles(json));
}
