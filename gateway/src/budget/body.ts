// Request bodies as bytes: received and decompressed within their size limit and budget, and measured before their
// values are allocated.

import { once } from "node:events";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { DescMessage, DescMethod } from "@bufbuild/protobuf";
import { tooLarge } from "@ems/kit/errors";
import { jsonDepthMax } from "@ems/kit/json/issue-messages";
import { measureJson } from "@ems/kit/readers";
import { OtlpService } from "@ems/proto/experiments/v1/otlp_service";
import { sizeText } from "@ems/proto/limits";
import { ExportLogsServiceRequestSchema } from "@ems/proto/opentelemetry/proto/collector/logs/v1/logs_service";
import { ExportMetricsServiceRequestSchema } from "@ems/proto/opentelemetry/proto/collector/metrics/v1/metrics_service";
import { ExportTraceServiceRequestSchema } from "@ems/proto/opentelemetry/proto/collector/trace/v1/trace_service";
import { protobufType } from "../rest/protobuf-status.ts";
import { type BodyMeasure, measureMessage, type ValueLimits } from "./measure-message.ts";

/** Bytes per additional rate-limit token; parsing this many takes about as long as a small request. */
const tokenBytes = 64 * 1024;
const tokenValues = 2_000;

/** Bytes per token for a body that a service parses, not the gateway. */
const rawTokenBytes = 256 * 1024;
const rawTokenValues = 16_000;

/** Values per token of JSON inside text fields, which services parse. */
const tokenTextValues = 4_000;

/** Bodies that cost at least this many tokens are large. */
export const largeTokens = 4;
export const largeBodies = { largeBytesMax: largeTokens * tokenBytes, largeValuesMax: largeTokens * tokenValues };

const gunzipChunkBytes = 64 * 1024;

/** Size of a body. Determines the body's cost in tokens. */
export interface BodySize {
  readonly bytes: number;
  readonly measure: BodyMeasure;
  /** True if a service parses the body, not the gateway. */
  readonly isRaw: boolean;
}

/** Memory budget that a body is received into. */
interface BodyBudget {
  /** Throws when the memory budget does not allow this many more bytes. */
  holdBody(bytes: number): void;
  releaseBody(): void;
}

export function bodyTooLarge(bytesMax: number): Error {
  return tooLarge(`The request body is larger than ${sizeText(bytesMax)}`);
}

/**
 * Receives the whole body. Discards what exceeds the limit, up to twice its size: a client that is still sending would
 * miss the response.
 */
export function receiveBody(
  stream: Readable,
  bytesMax: number,
  budget: BodyBudget,
  discardedBytesMax = bytesMax,
): Promise<Buffer> {
  // Over HTTP/2 the stream of an empty body may already have ended, without a further event.
  if (stream.readableEnded) return Promise.resolve(Buffer.alloc(0));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let refused: unknown;
    const stop = (error: unknown) => {
      stream.off("data", onData).off("end", onEnd).off("error", stop);
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      if (refused !== undefined) return length > bytesMax + discardedBytesMax ? stop(refused) : undefined;
      try {
        if (length > bytesMax) throw bodyTooLarge(bytesMax);
        budget.holdBody(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        refused = error;
        chunks.length = 0;
        budget.releaseBody();
        if (discardedBytesMax === 0) stop(error);
      }
    };
    const onEnd = () => {
      if (refused !== undefined) return stop(refused);
      stream.off("data", onData).off("end", onEnd).off("error", stop);
      // Copied, so that no view of the socket's read buffer remains.
      resolve(Buffer.concat(chunks, length));
    };
    stream.on("data", onData).on("end", onEnd).on("error", stop);
    stream.resume();
  });
}

/** Decompresses a body; undefined when it is not valid gzip. */
export async function gunzipBody(bytes: Buffer, bytesMax: number, budget: BodyBudget): Promise<Buffer | undefined> {
  const gunzip = createGunzip({ chunkSize: gunzipChunkBytes });
  const received = receiveBody(gunzip, bytesMax, budget, 0);
  gunzip.end(bytes);
  try {
    return await received;
  } catch (error) {
    if (isZlibError(error)) return undefined;
    throw error;
  } finally {
    gunzip.destroy();
    if (!gunzip.closed) await once(gunzip, "close");
  }
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && "errno" in error && String(Reflect.get(error, "code")).startsWith("Z_");
}

const unlimited: ValueLimits = { values: Number.POSITIVE_INFINITY, allValues: Number.POSITIVE_INFINITY };
const unmeasured: BodyMeasure = { values: 0, textValues: 0, isTooDeep: false };

/** Measures a JSON body. */
export function measureBody(bytes: Uint8Array, { values, allValues }: ValueLimits = unlimited): BodyMeasure {
  const measured = measureJson(bytes, { values, allValues, depth: jsonDepthMax });
  return { values: measured.values, textValues: measured.textValues, isTooDeep: measured.depth > jsonDepthMax };
}

const messages = new Map<DescMethod, DescMessage>([
  [OtlpService.method.exportTraces, ExportTraceServiceRequestSchema],
  [OtlpService.method.exportLogs, ExportLogsServiceRequestSchema],
  [OtlpService.method.exportMetrics, ExportMetricsServiceRequestSchema],
]);

/**
 * Measures a body that a service parses: its values cost the service as much as parsed ones cost the gateway.
 * Unstructured types, such as multipart forms, have no values.
 */
export function measureRaw(
  method: DescMethod,
  payload: Uint8Array,
  contentType: string | undefined,
  limits: ValueLimits,
): BodyMeasure {
  if (contentType === "application/json") return measureBody(payload, limits);
  const desc = contentType === protobufType ? messages.get(method) : undefined;
  if (desc === undefined) return unmeasured;
  try {
    return measureMessage(desc, payload, limits);
  } catch {
    // Invalid bytes are not charged by their values: the service rejects them.
    return unmeasured;
  }
}

/** Returns the number of rate-limit tokens that a body costs, in addition to the request's own token. */
export function countTokens({ bytes, measure: { values, textValues }, isRaw }: BodySize): number {
  const byteTokens = bytes / (isRaw ? rawTokenBytes : tokenBytes);
  return Math.floor(
    Math.max(byteTokens, values / (isRaw ? rawTokenValues : tokenValues) + textValues / tokenTextValues),
  );
}

/** Throws for a body with too many values. */
export function assertWithin({ values, textValues }: BodyMeasure, limits: ValueLimits): void {
  const advice = "Send it as several requests";
  if (values > limits.values) throw tooLarge(`The request body has more than ${limits.values} values. ${advice}`);
  if (values + textValues > limits.allValues)
    throw tooLarge(
      `The request body has more than ${limits.allValues} values, including JSON inside text fields. ${advice}`,
    );
}
