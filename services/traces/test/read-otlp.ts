// Reads spans as the service does.

import { type JsonObject, type JsonValue, toBinary } from "@bufbuild/protobuf";
import { ExportTraceServiceRequestSchema } from "@ems/proto/opentelemetry/proto/collector/trace/v1/trace_service";
import { otlpSpan, request } from "@ems/test-support/otlp";
import { readSpans, type SpanStep } from "../src/otlp/read-spans.ts";
import type { StepFields } from "../src/otlp/to-step-fields.ts";
import { decode } from "../src/otlp/wire/decode.ts";
import type { Rejection } from "../src/traces/index.ts";

/** Reads the request both as JSON and as protobuf, which must give the same result. */
export function readBoth(json: JsonObject): (SpanStep | Rejection)[] {
  const { message } = decode(ExportTraceServiceRequestSchema, Buffer.from(JSON.stringify(json)), "application/json");
  const binary = toBinary(ExportTraceServiceRequestSchema, message);
  const other = decode(ExportTraceServiceRequestSchema, binary, "application/x-protobuf");
  const [results, fromProtobuf] = [[...readSpans(message)], [...readSpans(other.message)]];
  const plain = (list: typeof results) =>
    JSON.stringify(list.map((result) => ("fields" in result ? result.fields : result)));
  if (plain(results) !== plain(fromProtobuf))
    throw new Error(`JSON and protobuf differ: ${plain(results)} ${plain(fromProtobuf)}`);
  return results;
}

export function readSteps(...list: JsonValue[]): SpanStep[] {
  return readBoth(request(list)).map((result) => {
    if ("error" in result) throw new Error(result.error);
    return result;
  });
}

/** Returns the step that results from a span with these attributes. */
export function stepFrom(attributes: Readonly<Record<string, unknown>>, more: JsonObject = {}): StepFields {
  const [step] = readSteps(otlpSpan(attributes, more));
  if (step === undefined) throw new Error("no step");
  return step.fields;
}
