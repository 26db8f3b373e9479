// Spans as sent by exporters.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

export const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";

/** An attribute's value: integers are int64, as text. */
export function anyValue(value: unknown): JsonObject {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "number")
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: String(value) };
  if (typeof value === "boolean") return { boolValue: value };
  if (value === null) return {};
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  return { kvlistValue: { values: keyValues(value as Readonly<Record<string, unknown>>) } };
}

export function keyValues(values: Readonly<Record<string, unknown>>): JsonObject[] {
  return Object.entries(values).map(([key, value]) => ({ key, value: anyValue(value) }));
}

let spans = 0;

/** A span of 840 ms in OTLP/JSON. */
export function otlpSpan(attributes: Readonly<Record<string, unknown>>, more: JsonObject = {}): JsonObject {
  return {
    traceId,
    spanId: (++spans).toString(16).padStart(16, "0"),
    name: "work",
    startTimeUnixNano: "1772443800000000000",
    endTimeUnixNano: "1772443800840500000",
    attributes: keyValues(attributes),
    ...more,
  };
}

export function spanEvent(name: string, attributes: Readonly<Record<string, unknown>>): JsonObject {
  return { name, timeUnixNano: "1772443800000000001", attributes: keyValues(attributes) };
}

export function request(list: readonly JsonValue[], resource: Readonly<Record<string, unknown>> = {}): JsonObject {
  const scopeSpans = [{ scope: { name: "test.scope", version: "1" }, spans: [...list] }];
  return { resourceSpans: [{ resource: { attributes: keyValues(resource) }, scopeSpans }] };
}
