// Unary RPCs in any protocol, with the steps of REST: headers are checked before the message is read.

import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Message } from "@bufbuild/protobuf";
import { encodeMessage, messageToJson } from "@ems/kit/codec";
import { deadlineExceeded, malformedRequest, unimplemented } from "@ems/kit/errors";
import { echoed } from "@ems/kit/json/issue-messages";
import { readRequestBytesMax } from "@ems/kit/limits/sizes";
import { etagHeader, type IfMatch, ifMatchHeader, invalidIfMatch, readIfMatch } from "@ems/kit/rpc/etag";
import {
  idempotencyKeyHeader,
  invalidIdempotencyKey,
  readIdempotencyKey,
  replayedHeader,
} from "@ems/kit/rpc/idempotency-key";
import { answerTooLarge } from "@ems/kit/rpc/response-size";
import { grpcAnswerBytesMax } from "@ems/proto/limits";
import { readCredentials, singleValue } from "../auth/authenticator.ts";
import type { RequestBudget } from "../budget/index.ts";
import type { AdmittedRequest, Pipeline } from "../pipeline.ts";
import { acceptsIdempotencyKey, acceptsIfMatch, isReadOnly, type Route } from "../rest/routes.ts";
import type { Answer, Exchange } from "./exchange.ts";
import type { Enclosed, Protocol } from "./protocols.ts";
import type { PublicUnary } from "./public-rpc.ts";
import { measure, measurePayload, readMessage, readRaw } from "./read-message.ts";

export interface UnaryCall {
  readonly rpc: PublicUnary;
  readonly protocol: Protocol;
  readonly exchange: Exchange;
  readonly requestId: string;
  /** The client's address. */
  readonly address: string;
  /** Headers of the response. */
  readonly headers: Record<string, string>;
}

/** Minimum size to compress: smaller responses fit into the first packets of a connection. */
export const compressedBytesMin = 16 * 1024;
const compress = promisify(gzip);

/** Returns the response of a call. Throws errors of @ems/kit. */
export async function answerUnary(pipeline: Pipeline, call: UnaryCall): Promise<Answer> {
  const { rpc, protocol, exchange, headers } = call;
  const startedMs = performance.now();
  const timeoutMs = protocol.timeoutMs(exchange.headers);
  const admitted = await admit(pipeline, call);
  const { budget } = admitted;
  const body = await budget.receive(exchange.body, exchange.headers, requestBytesMax(rpc.route) + protocol.frameBytes);
  return budget.run(async () => {
    const bytes = await messageBytes(call, budget, body);
    const isRaw = rpc.route.bodyMode === "raw";
    const { isJson } = protocol;
    const limits = budget.valueLimits(isRaw);
    const raw = isRaw
      ? (rpc.raw?.request(bytes, isJson) ?? (await readRaw(rpc.method.input, bytes, isJson)))
      : undefined;
    const nextTurn = () => budget.nextTurn();
    const measured =
      raw === undefined ? measure(rpc.method.input, bytes, isJson, limits) : measurePayload(rpc.route, raw, limits);
    const size = { bytes: bytes.length, measure: measured, isRaw };
    return budget.spend(size, async () => {
      const message = raw ?? (await readMessage(rpc.method.input, bytes, isJson, measured, nextTurn));
      await nextTurn();
      const isReadOnlyRpc = isReadOnly(rpc.route);
      const answered = await pipeline.call(rpc.route, admitted, message, {
        requestId: call.requestId,
        timeoutMs: remainingMs(timeoutMs, startedMs),
        idempotencyKey: getIdempotencyKey(rpc.route, exchange),
        ifMatch: getIfMatch(rpc.route, exchange),
        // Cancel a read when the client disconnects, but let a change complete.
        signal: isReadOnlyRpc ? disconnected(exchange) : undefined,
      });
      if (answered.header.has(replayedHeader)) headers[replayedHeader] = "true";
      const etag = answered.header.get(etagHeader);
      if (etag !== null) headers[etagHeader] = etag;
      await nextTurn();
      const serialize = () => serialized(call, answered.message);
      const sent = await budget.serialize(exchange.response, isReadOnlyRpc, serialize);
      return protocol.success(await enclosed(sent, exchange, protocol), headers);
    });
  });
}

function admit(
  pipeline: Pipeline,
  { rpc, exchange, requestId, address, headers: answered }: UnaryCall,
): Promise<AdmittedRequest> {
  const { headers, request, response } = exchange;
  const credentials = {
    ...readCredentials(headers),
    address,
    requestId,
    disconnected: () => disconnected(exchange),
  };
  const charged = (state: Record<string, string>) => void Object.assign(answered, state);
  // The key determines its application: gRPC clients need not send one.
  return pipeline.admit({ ...rpc.route, isApplicationOptional: true }, { credentials, request, response, charged });
}

/** RPCs with a GET route have small requests. Services limit requests of such RPCs in the same way. */
function requestBytesMax({ httpMethod, bodyMode, bodyBytesMax }: Route): number {
  return httpMethod === "GET" && bodyMode !== "raw" ? readRequestBytesMax : bodyBytesMax;
}

/** Returns the decompressed message. */
async function messageBytes(
  { rpc, protocol, exchange, headers }: UnaryCall,
  budget: RequestBudget,
  body: Buffer,
): Promise<Uint8Array> {
  const encoding = singleValue(exchange.headers[protocol.encodingHeader])?.toLowerCase() ?? "identity";
  const message = protocol.open(body, encoding);
  if (message === undefined) throw malformedRequest([], "The request must be exactly one message, in one frame");
  if (!message.isCompressed) return message.bytes;
  if (encoding !== "gzip") {
    headers[protocol.acceptHeader] = "identity,gzip";
    throw unimplemented(`Compression by ${echoed(encoding)}`);
  }
  const bytes = Buffer.from(message.bytes.buffer, message.bytes.byteOffset, message.bytes.byteLength);
  const inflated = await budget.decompress(bytes, requestBytesMax(rpc.route));
  if (inflated === undefined) throw malformedRequest([], "The message is not valid gzip");
  return inflated;
}

function getIdempotencyKey(route: Route, { headers }: Exchange): string | undefined {
  if (!acceptsIdempotencyKey(route)) return undefined;
  const { key, issue } = readIdempotencyKey(headers[idempotencyKeyHeader]);
  if (issue !== undefined) throw invalidIdempotencyKey();
  return key;
}

function getIfMatch(route: Route, { headers }: Exchange): IfMatch | undefined {
  if (!acceptsIfMatch(route)) return undefined;
  const { ifMatch, issue } = readIfMatch(headers[ifMatchHeader]);
  if (issue !== undefined) throw invalidIfMatch();
  return ifMatch;
}

function remainingMs(timeoutMs: number | undefined, startedMs: number): number | undefined {
  if (timeoutMs === undefined) return undefined;
  const remaining = timeoutMs - (performance.now() - startedMs);
  if (remaining <= 0) throw deadlineExceeded();
  return remaining;
}

function serialized({ rpc: { method, raw }, protocol }: UnaryCall, message: Message): Buffer {
  const bytes =
    raw?.response(message) ??
    (protocol.isJson
      ? Buffer.from(JSON.stringify(messageToJson(method.output, message)))
      : encodeMessage(method.output, message));
  if (bytes.length > grpcAnswerBytesMax) throw answerTooLarge(method, message, grpcAnswerBytesMax);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

async function enclosed(
  bytes: Uint8Array | string,
  { headers }: Exchange,
  { acceptHeader }: Protocol,
): Promise<Enclosed> {
  const message = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
  const accepted = singleValue(headers[acceptHeader])?.split(",") ?? [];
  const isCompressed =
    message.length >= compressedBytesMin && accepted.some((encoding) => encoding.trim().toLowerCase() === "gzip");
  return { bytes: isCompressed ? await compress(message) : message, isCompressed };
}

/** Aborted when the client disconnects before it has its response. */
function disconnected({ response }: Exchange): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
