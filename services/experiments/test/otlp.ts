// Spans as exporters send them, and what is read from them.

import { type JsonObject, type JsonValue, toBinary } from "@bufbuild/protobuf";
import { ExportTraceServiceRequestSchema } from "@ems/proto/opentelemetry/proto/collector/trace/v1/trace_service";
import { readSpans, type SpanStep } from "../src/traces/otlp/read-spans.ts";
import type { StepFields } from "../src/traces/otlp/step-of.ts";
import { decode } from "../src/traces/otlp/wire/decode.ts";
import type { Rejection } from "../src/traces/traces/index.ts";

export const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";

/** A value as an attribute has it: numbers that are whole are int64, written as texts. */
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

/** A span of 840 ms in OTLP's JSON. */
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

/** Reads the request as JSON and as protobuf, which must say the same. */
export function readBoth(json: JsonObject): (SpanStep | Rejection)[] {
  const { message } = decode(ExportTraceServiceRequestSchema, Buffer.from(JSON.stringify(json)), "application/json");
  const binary = toBinary(ExportTraceServiceRequestSchema, message);
  const other = decode(ExportTraceServiceRequestSchema, binary, "application/x-protobuf");
  const [results, others] = [[...readSpans(message)], [...readSpans(other.message)]];
  const plain = (list: typeof results) =>
    JSON.stringify(list.map((result) => ("fields" in result ? result.fields : result)));
  if (plain(results) !== plain(others)) throw new Error(`JSON and protobuf differ: ${plain(results)} ${plain(others)}`);
  return results;
}

export function stepsOf(...list: JsonValue[]): SpanStep[] {
  return readBoth(request(list)).map((result) => {
    if ("error" in result) throw new Error(result.error);
    return result;
  });
}

/** The step that a span of these attributes becomes. */
export function stepFrom(attributes: Readonly<Record<string, unknown>>, more: JsonObject = {}): StepFields {
  const [step] = stepsOf(otlpSpan(attributes, more));
  if (step === undefined) throw new Error("no step");
  return step.fields;
}
