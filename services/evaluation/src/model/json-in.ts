// JSON from a model or its provider: limited before it is parsed, and storable afterwards.

import type { JsonValue } from "@bufbuild/protobuf";
import { type JsonTextLimits, makeJsonStorable, tryReadJsonText } from "@ems/kit/readers";

/** No judge's schema has ten levels or 10,000 values. The size of an answer is limited while it is received. */
const limits: JsonTextLimits = { values: 100_000, depth: 64, bytes: Infinity };

/** Returns the JSON in a text, with storable texts; undefined if there is none, or if it exceeds the limits. */
export function readJson(text: string): JsonValue | undefined {
  const json = tryReadJsonText(text, limits);
  return json === undefined ? undefined : makeJsonStorable(json);
}

const fence = "```";

/** Returns the JSON in an answer's text, also in a Markdown code fence; undefined if there is none. */
export function jsonIn(text: string): JsonValue | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith(fence) || !trimmed.endsWith(fence)) return readJson(text);
  const firstLine = trimmed.indexOf("\n");
  const language = trimmed.slice(fence.length, firstLine).trim().toLowerCase();
  if (firstLine < 0 || (language !== "" && language !== "json")) return undefined;
  return readJson(trimmed.slice(firstLine, -fence.length));
}
