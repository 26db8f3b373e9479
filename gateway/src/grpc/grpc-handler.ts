// Serves RPCs over gRPC with the same steps as over HTTP: decided by the headers before a message is read.

import { AsyncLocalStorage } from "node:async_hooks";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { create } from "@bufbuild/protobuf";
import {
  type ContextKey,
  createConnectRouter,
  createContextKey,
  createContextValues,
  type HandlerContext,
} from "@connectrpc/connect";
import type { Compression } from "@connectrpc/connect/protocol";
import {
  compressionGzip,
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from "@connectrpc/connect-node";
import { invalidField, unauthenticated, unimplemented } from "@ems/kit/errors";
import type { Health as ProcessHealth } from "@ems/kit/health";
import type { NewId } from "@ems/kit/id";
import type { Logger } from "@ems/kit/log";
import { startSpan, traceparentHeader } from "@ems/kit/telemetry/trace";
import { Health, HealthCheckResponse_ServingStatus, HealthCheckResponseSchema } from "@ems/proto/grpc/health/v1/health";
import { largeBodyBytesMax } from "@ems/proto/limits";
import { clientAddress, type TrustedProxies } from "../auth/client-address.ts";
import { requestIdOf } from "../http/request-id.ts";
import { receiveBody } from "../limits/receive-body.ts";
import type { AdmittedRequest, Pipeline } from "../pipeline.ts";
import { errorResponse } from "../rest/errors.ts";
import { isReadOnly } from "../rest/routes.ts";
import { observeRequest } from "../telemetry.ts";
import { grpcError } from "./grpc-error.ts";
import type { PublicRpc } from "./public-rpc.ts";

export interface GrpcHandlerDeps {
  readonly log: Logger;
  readonly newId: NewId;
  readonly health: ProcessHealth;
  readonly pipeline: Pipeline;
  readonly rpcs: readonly PublicRpc[];
}

/** One request of the port. */
interface Exchange {
  readonly request: Http2ServerRequest;
  readonly response: Http2ServerResponse;
  readonly id: string;
  admitted?: AdmittedRequest;
  /** Of the response, as HTTP counts it. */
  status: number;
}

const exchangeKey: ContextKey<Exchange | undefined> = createContextKey<Exchange | undefined>(undefined);
const framePrefixBytes = 5;

/** The listener of the port's HTTP/2 server. */
export function grpcHandler(trustProxy: TrustedProxies, deps: GrpcHandlerDeps) {
  const { log, newId, health, pipeline, rpcs } = deps;
  const byPath = new Map(rpcs.map((rpc) => [`/${rpc.method.parent.typeName}/${rpc.method.name}`, rpc]));
  const exchanges = new AsyncLocalStorage<Exchange>();

  /** The error as gRPC has it; remembered for metrics and log. */
  const failure = (exchange: Exchange, thrown: unknown) => {
    const { status } = errorResponse(thrown);
    exchange.status = status;
    if (status >= 500 && !exchange.response.destroyed) {
      const err = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
      log.error({ err, requestId: exchange.id }, "request failed");
    }
    return grpcError(thrown);
  };

  const admit = async (rpc: PublicRpc, exchange: Exchange, context: HandlerContext) => {
    const { request, response, id: requestId } = exchange;
    if (context.requestHeader.get("content-type")?.includes("json")) throw unimplemented("JSON over gRPC");
    const credentials = {
      apiKey: context.requestHeader.get("x-api-key") ?? undefined,
      applicationId: context.requestHeader.get("x-application-id") ?? undefined,
      address: clientAddress(request, trustProxy),
      requestId,
      disconnected: () => context.signal,
    };
    exchange.admitted = await pipeline.admit(rpc.route, { credentials, request, response });
    for (const [name, value] of Object.entries(exchange.admitted.rateLimits)) context.responseHeader.set(name, value);
  };

  const gzip: Compression = {
    ...compressionGzip,
    async decompress(bytes, readMaxBytes) {
      const admitted = exchanges.getStore()?.admitted;
      if (admitted === undefined) throw unauthenticated();
      const { owner, held } = admitted;
      try {
        const message = await pipeline.bodies.decompress(owner, Buffer.from(bytes), readMaxBytes, held);
        if (message === undefined) throw invalidField(["payload"], "Message is not valid gzip");
        return message as Uint8Array<ArrayBuffer>;
      } catch (error) {
        throw grpcError(error);
      }
    },
  };

  const router = createConnectRouter({
    // Connect and gRPC-Web are for clients that the other port serves.
    ...{ connect: false, grpcWeb: false },
    acceptCompression: [gzip],
    readMaxBytes: largeBodyBytesMax,
    requestGate: async (context) => {
      const exchange = exchangeOf(context);
      const rpc = byPath.get(`/${context.service.typeName}/${context.method.name}`);
      context.responseHeader.set("x-request-id", exchange.id);
      try {
        if (rpc !== undefined) await admit(rpc, exchange, context);
      } catch (error) {
        throw failure(exchange, error);
      }
    },
  });
  for (const rpc of rpcs) {
    router.rpc(rpc.method, async (message, context) => {
      const exchange = exchangeOf(context);
      const { admitted, id: requestId } = exchange;
      const charged = (headers: Record<string, string>) => {
        for (const [name, value] of Object.entries(headers)) context.responseHeader.set(name, value);
      };
      try {
        if (admitted === undefined) throw unauthenticated();
        const { owner, held } = admitted;
        const answered = await pipeline.run(admitted, () =>
          pipeline.bodies.withMessage(owner, held.bytes, charged, () =>
            pipeline.call(rpc.route, owner, rpc.request(create(rpc.method.input, message)), {
              requestId,
              timeoutMs: context.timeoutMs(),
              signal: isReadOnly(rpc.route) ? context.signal : undefined,
              charged,
            }),
          ),
        );
        return rpc.response(answered.message);
      } catch (error) {
        throw failure(exchange, error);
      }
    });
  }
  router.rpc(Health.method.check, async () => {
    const isReady = (await health.notReadyReason()) === undefined;
    const { SERVING, NOT_SERVING } = HealthCheckResponse_ServingStatus;
    return create(HealthCheckResponseSchema, { status: isReady ? SERVING : NOT_SERVING });
  });

  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
  return (request: Http2ServerRequest, response: Http2ServerResponse): void => {
    const startedMs = performance.now();
    const path = request.url.split("?", 1)[0] ?? "";
    const handler = handlers.get(path);
    const exchange: Exchange = { request, response, id: requestIdOf(request.headers, newId), status: 200 };
    const route = handler === undefined ? "" : path;
    const attributes = { "http.request.method": request.method, "http.route": route };
    const traceparent = request.headers[traceparentHeader];
    const parent = typeof traceparent === "string" ? traceparent : undefined;
    const span = startSpan(`${request.method} ${route}`.trimEnd(), { role: "server", attributes, parent });
    response.once("close", () => {
      const { id: requestId, status } = exchange;
      const ms = performance.now() - startedMs;
      span.end({ "http.response.status_code": status }, status >= 500 ? String(status) : undefined);
      observeRequest({ method: request.method, route, status }, ms);
      if (log.isLevelEnabled("info")) {
        log.info({ requestId, method: request.method, route, status, ms: Math.round(ms * 1000) / 1000 }, "request");
      }
    });
    if (handler === undefined) return void notFound(exchange);
    const universal = universalRequestFromNodeRequest(
      request,
      response,
      undefined,
      createContextValues().set(exchangeKey, exchange),
    );
    const isChecked = path.startsWith("/grpc.health.");
    const body = isChecked ? universal.body : received(exchange);
    const run = async () => universalResponseToNodeResponse(await handler({ ...universal, body }), response);
    // A rejection is the client's: it has gone away.
    span.run(() => void exchanges.run(exchange, run).catch(() => response.stream?.close()));
  };
}

/** The whole message at once: Connect reserves the length that a frame claims when it sees the frame's prefix. */
async function* received(exchange: Exchange): AsyncGenerator<Uint8Array> {
  // Read once the headers are admitted.
  const { request, admitted } = exchange;
  if (admitted === undefined) throw unauthenticated();
  try {
    yield await receiveBody(request, largeBodyBytesMax + framePrefixBytes, admitted.held);
  } catch (error) {
    throw grpcError(error);
  }
}

function exchangeOf({ values }: HandlerContext): Exchange {
  const exchange = values.get(exchangeKey);
  if (exchange === undefined) throw new Error("a request of the gRPC port has an exchange");
  return exchange;
}

/** gRPC's form of an unknown path, for clients that speak it. */
function notFound(exchange: Exchange): void {
  exchange.status = 404;
  exchange.response.writeHead(200, {
    "content-type": "application/grpc",
    "grpc-status": "12",
    "grpc-message": "There is no such RPC",
  });
  exchange.response.end();
}
