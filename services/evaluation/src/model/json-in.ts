// JSON that a model or its provider wrote: bounded before it is parsed, and storable afterwards.

import type { JsonValue } from "@bufbuild/protobuf";
import { type JsonTextLimits, makeJsonStorable, tryReadJsonText } from "@ems/kit/readers";

/** No schema of a judge has ten levels or 10,000 values; the size of an answer is bounded while it is received. */
const limits: JsonTextLimits = { values: 100_000, depth: 64, bytes: Infinity };

/** Returns the JSON of a text with storable texts in it; undefined for a text that is none, or exceeds the limits. */
export function readJson(text: string): JsonValue | undefined {
  const json = tryReadJsonText(text, limits);
  return json === undefined ? undefined : makeJsonStorable(json);
}

const fence = "```";

/** Returns the JSON of an answer's text, also from a fence of Markdown; undefined without any. */
export function jsonIn(text: string): JsonValue | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith(fence) || !trimmed.endsWith(fence)) return readJson(text);
  const firstLine = trimmed.indexOf("\n");
  const language = trimmed.slice(fence.length, firstLine).trim().toLowerCase();
  if (firstLine < 0 || (language !== "" && language !== "json")) return undefined;
  return readJson(trimmed.slice(firstLine, -fence.length));
}
