// Dispatches requests of the gRPC port by path and protocol; writes a log line, metrics and a span for each.

import type { IncomingHttpHeaders } from "node:http";
import type { DescMessage } from "@bufbuild/protobuf";
import type { ConnectError } from "@connectrpc/connect";
import { forClients } from "@ems/kit/error-details";
import { Code, unimplemented } from "@ems/kit/errors";
import type { Health as ProcessHealth } from "@ems/kit/health";
import type { NewId } from "@ems/kit/id";
import type { Logger } from "@ems/kit/log";
import { chooseRequestId } from "@ems/kit/rpc/call";
import { startSpan, traceparentHeader } from "@ems/kit/telemetry/trace";
import { watchdog } from "@ems/kit/telemetry/watchdog";
import { singleValue } from "../auth/authenticator.ts";
import { clientAddress } from "../auth/client-address.ts";
import { reflectionLimit } from "../budget/index.ts";
import type { GatewayConfig } from "../config.ts";
import { Cors } from "../http/cors.ts";
import type { Pipeline } from "../pipeline.ts";
import { errorResponse, publicError } from "../rest/errors.ts";
import { observeRequest } from "../telemetry.ts";
import type { Answer, Exchange, Outcome } from "./exchange.ts";
import type { OpenStreams } from "./open-streams.ts";
import { findProtocol, type Protocol } from "./protocols.ts";
import type { PublicRpc, PublicUnary } from "./public-rpc.ts";
import { streamHandlers } from "./streams.ts";
import { answerUnary } from "./unary.ts";

export interface GrpcHandlerDeps {
  readonly log: Logger;
  readonly newId: NewId;
  readonly health: ProcessHealth;
  readonly pipeline: Pipeline;
  readonly rpcs: readonly PublicRpc[];
  readonly streams: OpenStreams;
}

export function grpcHandler(config: GatewayConfig, deps: GrpcHandlerDeps): (exchange: Exchange) => void {
  const { log, newId, pipeline, rpcs } = deps;
  const { TRUST_PROXY: trustProxy, GRPC_REFLECTION, CORS_ORIGINS } = config;
  const unary = new Map<string, PublicUnary>();
  for (const rpc of rpcs) if (rpc.kind === "unary") unary.set(getPath(rpc), rpc);
  const limit = GRPC_REFLECTION === "on" ? reflectionLimit(config) : undefined;
  const streams = streamHandlers(deps, { trustProxy, reflectionLimit: limit, failure });

  /** Encodes the error for its protocol, and records it for metrics and the log. */
  function failure(outcome: Outcome, exchange: Exchange, thrown: unknown, input?: DescMessage): ConnectError {
    const { status } = errorResponse(thrown);
    const error = grpcError(thrown, input);
    outcome.status = status;
    outcome.code = Code[error.code];
    if (status >= 500 && !exchange.response.destroyed) {
      const err = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
      log.error({ err, requestId: outcome.requestId }, "request failed");
    }
    return error;
  }

  async function answer(rpc: PublicUnary, protocol: Protocol, exchange: Exchange, outcome: Outcome): Promise<Answer> {
    const { requestId } = outcome;
    const headers = { "x-request-id": requestId };
    try {
      const address = clientAddress(exchange, trustProxy);
      const call = { rpc, protocol, exchange, requestId, address, headers };
      const work = { method: exchange.method, route: getPath(rpc), requestId };
      return await watchdog.watch(work, () => answerUnary(pipeline, call));
    } catch (error) {
      return protocol.failure(failure(outcome, exchange, error, rpc.method.input), headers);
    }
  }

  const cors = new Cors(CORS_ORIGINS);
  return (exchange) => {
    Object.assign(exchange.answerHeaders, cors.rpcHeaders(exchange.headers, exchange.method));
    const path = exchange.url.split("?", 1)[0] ?? "";
    const outcome: Outcome = {
      requestId: chooseRequestId(exchange.headers["x-request-id"], newId),
      status: 200,
      code: "OK",
    };
    const rpc = unary.get(path);
    const stream = rpc === undefined ? streams.get(path) : undefined;
    const span = observe(exchange, outcome, rpc === undefined && stream === undefined ? "" : path);
    const protocol = findProtocol(exchange.headers);
    if (rpc === undefined && stream === undefined) return unknownPath(exchange, outcome, protocol);
    const refused = refusal(exchange, rpc === undefined || protocol !== undefined);
    if (refused !== undefined) {
      outcome.status = refused.status;
      return exchange.send(refused);
    }
    // If the stream handler rejects, the client has disconnected.
    if (stream !== undefined)
      return void span.run(() => stream(exchange, outcome).catch(() => exchange.body.destroy()));
    if (rpc === undefined || protocol === undefined) return;
    span.run(() => void answer(rpc, protocol, exchange, outcome).then((sent) => exchange.send(sent)));
  };

  function observe(exchange: Exchange, outcome: Outcome, route: string) {
    const startedMs = performance.now();
    const { method, headers } = exchange;
    const attributes = { "http.request.method": method, "http.route": route };
    const parent = singleValue(headers[traceparentHeader]);
    const span = startSpan(`${method} ${route}`.trimEnd(), { role: "server", attributes, parent });
    exchange.response.once("close", () => {
      const { requestId, status, code, answeredMs = performance.now() } = outcome;
      const ms = answeredMs - startedMs;
      span.end({ "http.response.status_code": status }, status >= 500 ? String(status) : undefined);
      observeRequest({ method, route, status }, ms);
      if (log.isLevelEnabled("info")) {
        log.info({ requestId, method, route, status, code, ms: Math.round(ms * 1000) / 1000 }, "request");
      }
    });
    return span;
  }
}

/** Rejects a request before its body is read: wrong method or type, or gRPC over HTTP/1.1, which has no trailers. */
function refusal({ method, headers, httpVersion }: Exchange, isTypeKnown: boolean): Answer | undefined {
  // CORS preflight; cors.ts answers it.
  if (method === "OPTIONS") return { status: 204, headers: { allow: "POST" } };
  if (method !== "POST") return { status: 405, headers: { allow: "POST" } };
  if (httpVersion === "1.1" && isGrpc(headers)) return { status: 505, headers: {} };
  if (isTypeKnown) return undefined;
  return { status: 415, headers: { "accept-post": "application/json, application/proto, application/grpc" } };
}

function isGrpc({ "content-type": type = "" }: IncomingHttpHeaders): boolean {
  return /^application\/grpc(?:\+|;|$)/i.test(type);
}

function unknownPath(exchange: Exchange, outcome: Outcome, protocol: Protocol | undefined): void {
  outcome.status = 404;
  const headers = { "x-request-id": outcome.requestId };
  const error = grpcError(unimplemented("This RPC"));
  exchange.send(protocol === undefined ? { status: 404, headers } : protocol.failure(error, headers));
}

export function getPath({ method }: Pick<PublicRpc, "method">): string {
  return `/${method.parent.typeName}/${method.name}`;
}

/**
 * Encodes the error for gRPC. `input` is the RPC's request message, whose fields the error names. Clients retry
 * UNAVAILABLE and, if a RetryInfo has a delay, RESOURCE_EXHAUSTED.
 */
function grpcError(thrown: unknown, input?: DescMessage): ConnectError {
  return forClients(publicError(thrown), input);
}
