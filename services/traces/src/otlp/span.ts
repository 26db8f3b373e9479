// A span with validated ids and times, and its attributes as JSON.

import type { JsonObject } from "@bufbuild/protobuf";
import { instantUnit } from "@ems/kit/json/timestamp";
import type { Span as SpanMessage } from "@ems/proto/opentelemetry/proto/trace/v1/trace";
import { Extraction } from "../attachments/index.ts";
import type { Rejection } from "../traces/index.ts";
import { toAttributes } from "./wire/attributes.ts";

export interface Span {
  readonly message: SpanMessage;
  /** Hexadecimal digits in lower case. */
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly startMs: number;
  /** Undefined if the span has not ended. */
  readonly endMs: number | undefined;
  /** The same times in nanoseconds, and the time between them. */
  readonly startNs: bigint;
  readonly endNs: bigint | undefined;
  readonly durationNs: bigint | undefined;
  /** Without binary content. */
  readonly attributes: JsonObject;
  /** Binary content of the span. */
  readonly extraction: Extraction;
}

export function readSpan(message: SpanMessage): Span | Rejection {
  const traceId = hexId(message.traceId, 16);
  if (traceId === undefined) return { error: "traceId must be 32 hexadecimal digits, not all zero" };
  const spanId = hexId(message.spanId, 8);
  if (spanId === undefined) return { error: "spanId must be 16 hexadecimal digits, not all zero" };
  const { startTimeUnixNano: start, endTimeUnixNano: end } = message;
  if (start === 0n) return { error: "startTimeUnixNano must be nanoseconds since 1970" };
  const unit = instantUnit(Number(start));
  if (unit !== undefined && unit !== "nanoseconds")
    return { error: `startTimeUnixNano must be nanoseconds since 1970: ${start} looks like ${unit}` };
  const extraction = new Extraction();
  const isOpen = end === 0n;
  if (!isOpen && end < start) return { error: "A span must not end before it starts" };
  return {
    message,
    traceId,
    spanId,
    parentSpanId: hexId(message.parentSpanId, 8),
    startMs: Number(start / nanos),
    endMs: isOpen ? undefined : Number(end / nanos),
    durationNs: isOpen ? undefined : end - start,
    startNs: start,
    endNs: isOpen ? undefined : end,
    attributes: extraction.attributes(toAttributes(message.attributes)),
    extraction,
  };
}

const nanos = 1_000_000n;

/** Returns the id's digits in lower case; undefined for all zeros, which is not a valid id. */
export function hexId(bytes: Uint8Array, length: number): string | undefined {
  return bytes.length === length && bytes.some((byte) => byte !== 0) ? hex(bytes) : undefined;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}
