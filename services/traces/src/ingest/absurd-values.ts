// Handles numbers and times in an application's answer: values that no step can have become unknown, the rest stays.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { edgeReader, finiteNumber, money, type Parse, tokenCount } from "@ems/kit/edges";
import { nearestDouble } from "@ems/kit/json/exact-number";
import { readInstant } from "@ems/kit/json/timestamp";

const read = edgeReader("webhook");

/** Reads the token counts of an answer; undefined if missing or absurd. */
export const readTokens = (field: string, value: JsonValue | undefined) => read(field, value, tokenCount);

const time: Parse<unknown> = (sent) => {
  const value = nearestDouble(sent);
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const instant = readInstant(value);
  return instant === undefined || "unit" in instant || instant.seconds < 0n ? undefined : instant;
};
const duration: Parse<number> = (value) => {
  const ms = finiteNumber(value);
  return ms !== undefined && ms >= 0 && ms <= durationMsMax ? ms : undefined;
};
/** One year. A longer duration is assumed to be in the wrong unit. */
const durationMsMax = 365 * 24 * 60 * 60_000;
const object: Parse<object> = (value) => (isObject(value as JsonValue) ? (value as object) : undefined);

type Field = readonly [name: string, label: string, parse: Parse<unknown>];

const stepFields: readonly Field[] = [
  ["timestamp", "timestamp", time],
  ["endTime", "timestamp", time],
  ["durationMs", "duration", duration],
  ["costAmount", "cost", money],
  ["usage", "usage", object],
  ["tokens", "usage", object],
];
const usageFields: readonly Field[] = [
  ["cachedTokens", "cached_tokens", tokenCount],
  ["cacheWriteTokens", "cache_write_tokens", tokenCount],
  ["reasoningTokens", "reasoning_tokens", tokenCount],
  ["cachedInput", "cached_tokens", tokenCount],
  ["cacheWrite", "cache_write_tokens", tokenCount],
  ["reasoning", "reasoning_tokens", tokenCount],
  ["inputTokens", "input_tokens", tokenCount],
  ["outputTokens", "output_tokens", tokenCount],
  ["cachedInputTokens", "cached_tokens", tokenCount],
  ["input_tokens", "input_tokens", tokenCount],
  ["output_tokens", "output_tokens", tokenCount],
  ["prompt_tokens", "input_tokens", tokenCount],
  ["completion_tokens", "output_tokens", tokenCount],
  ["cache_read_input_tokens", "cached_tokens", tokenCount],
  ["cache_creation_input_tokens", "cache_write_tokens", tokenCount],
  ["promptTokens", "input_tokens", tokenCount],
  ["completionTokens", "output_tokens", tokenCount],
  ["input", "input_tokens", tokenCount],
  ["output", "output_tokens", tokenCount],
];

/** Returns the steps without absurd numbers and times. The event reader finds all other errors. */
export function withoutAbsurdValues(steps: readonly JsonValue[]): JsonValue[] {
  return steps.map((step) => {
    if (!isObject(step)) return step;
    const sound = without(step, stepFields);
    for (const name of ["usage", "tokens"]) {
      const usage = sound[name];
      if (isObject(usage)) sound[name] = without(usage, usageFields);
    }
    if (Array.isArray(sound.steps)) sound.steps = withoutAbsurdValues(sound.steps);
    return sound;
  });
}

function without(json: JsonObject, fields: readonly Field[]): JsonObject {
  const sound = { ...json };
  for (const [name, label, parse] of fields)
    if (Object.hasOwn(sound, name) && sound[name] !== null && read(label, sound[name], parse) === undefined)
      delete sound[name];
  return sound;
}

function isObject(json: JsonValue | undefined): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
