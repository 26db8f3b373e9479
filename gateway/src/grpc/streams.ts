// Streaming RPCs in all protocols, through Connect's router; and health, which needs no key.

import type { DescMessage } from "@bufbuild/protobuf";
import {
  type ConnectError,
  type ContextKey,
  createConnectRouter,
  createContextKey,
  createContextValues,
  type HandlerContext,
} from "@connectrpc/connect";
import type { UniversalServerResponse } from "@connectrpc/connect/protocol";
import { compressionGzip } from "@connectrpc/connect-node";
import { invalidRequest, unavailable } from "@ems/kit/errors";
import type { Health as ProcessHealth } from "@ems/kit/health";
import { findViolations } from "@ems/kit/json/validate";
import { consumeAll, type TokenBuckets } from "@ems/kit/limits/token-bucket";
import { readCredentials } from "../auth/authenticator.ts";
import { clientAddress, clientNetwork, type TrustedProxies } from "../auth/client-address.ts";
import type { AdmittedRequest, Pipeline } from "../pipeline.ts";
import { type Exchange, markLasting, type Outcome } from "./exchange.ts";
import { serveHealth } from "./health.ts";
import type { OpenStream, OpenStreams } from "./open-streams.ts";
import type { PublicRpc } from "./public-rpc.ts";
import { alphaPath, reflectionPath, serveReflection } from "./reflection.ts";
import { compressedBytesMin } from "./unary.ts";

/** Serves an exchange until it ends. */
export type StreamHandler = (exchange: Exchange, outcome: Outcome) => Promise<void>;

export interface StreamHandlerDeps {
  readonly health: ProcessHealth;
  readonly pipeline: Pipeline;
  readonly rpcs: readonly PublicRpc[];
  readonly streams: OpenStreams;
}

export interface StreamHandlerOptions {
  readonly trustProxy: TrustedProxies;
  /** Rate limit of reflection per address; undefined when reflection is off. */
  readonly reflectionLimit: TokenBuckets | undefined;
  /** Encodes the error for its protocol, and records it for metrics and the log. */
  readonly failure: (outcome: Outcome, exchange: Exchange, thrown: unknown, input?: DescMessage) => ConnectError;
}

/** Request passed to the router, with the caller whom its headers admitted. */
interface Served {
  readonly exchange: Exchange;
  readonly outcome: Outcome;
  admitted?: { readonly request: AdmittedRequest; readonly stream: OpenStream };
}

/** Requests of streams are small: a name or a filter. */
const requestBytesMax = 64 * 1024;

const servedKey: ContextKey<Served | undefined> = createContextKey<Served | undefined>(undefined);

export function streamHandlers(
  { health, pipeline, rpcs, streams: open }: StreamHandlerDeps,
  { trustProxy, reflectionLimit, failure }: StreamHandlerOptions,
): ReadonlyMap<string, StreamHandler> {
  const streams = new Map(rpcs.flatMap((rpc) => (rpc.kind === "stream" ? [[String(rpc.method), rpc] as const] : [])));

  /** Admits a request by its headers, before its body is read. */
  const admit = async (context: HandlerContext) => {
    const found = served(context);
    const { exchange, outcome } = found;
    const { headers, request, response } = exchange;
    const { requestId } = outcome;
    context.responseHeader.set("x-request-id", requestId);
    context.responseTrailer.set("x-request-id", requestId);
    const address = clientAddress(exchange, trustProxy);
    const credentials = {
      ...readCredentials(headers),
      address,
      requestId,
      disconnected: () => context.signal,
    };
    const route = { isApplicationOptional: true, method: context.method };
    const charged = (state: Record<string, string>) => {
      for (const [name, value] of Object.entries(state)) context.responseHeader.set(name, value);
    };
    const admitted = await pipeline.admit(route, { credentials, request, response, charged });
    const { owner } = admitted;
    const stream = open.open(owner.applicationId, exchange, () => pipeline.checkKey(owner, credentials));
    context.signal.addEventListener("abort", () => stream.end(context.signal.reason), { once: true });
    const isOld = () =>
      stream.end(unavailable("The connection reached its maximum age; resume the stream on a new one"));
    exchange.draining.addEventListener("abort", isOld, { once: true });
    found.admitted = { request: admitted, stream };
  };

  const router = createConnectRouter({
    readMaxBytes: requestBytesMax,
    // A compressed request inflates to at most `requestBytesMax`.
    acceptCompression: [compressionGzip],
    compressMinBytes: compressedBytesMin,
    jsonOptions: { ignoreUnknownFields: false },
    requestGate: async (context) => {
      const { exchange, outcome } = served(context);
      try {
        if (streams.has(String(context.method))) await admit(context);
        // Unary health checks are exempt: behind a load balancer, all of them have the balancer's address.
        else if (context.method.methodKind !== "unary")
          open.openWithoutKey(clientAddress(exchange, trustProxy), exchange);
      } catch (error) {
        throw failure(outcome, exchange, error);
      }
    },
  });
  for (const { method, open: openStream } of streams.values()) {
    router.rpc(method, async function* (message, context) {
      const { exchange, outcome, admitted } = served(context);
      if (admitted === undefined) throw new Error("a stream is admitted before its request is read");
      const { request, stream } = admitted;
      request.budget.release();
      markLasting(exchange, "request and answer");
      try {
        const violations = findViolations(method.input, message);
        if (violations.length > 0) throw invalidRequest(violations);
        const { owner } = request;
        const { signal } = stream;
        const { requestId } = outcome;
        const source = openStream(message, {
          owner,
          signal,
          call: (rpc, input, timeoutMs) => pipeline.callForStream(rpc, owner, input, { requestId, timeoutMs, signal }),
        });
        for await (const answer of stream.messages(source)) {
          outcome.answeredMs ??= performance.now();
          yield answer;
        }
      } catch (error) {
        throw failure(outcome, exchange, stream.signal.aborted ? stream.signal.reason : error, method.input);
      }
    });
  }
  const names = [...new Set(rpcs.map(({ method }) => method.parent.typeName))];
  serveHealth(router, health, names);
  if (reflectionLimit !== undefined) {
    serveReflection(router, names, (context) => {
      const { exchange, outcome } = served(context);
      try {
        consumeAll([{ limit: reflectionLimit, key: clientNetwork(clientAddress(exchange, trustProxy)) }]);
      } catch (error) {
        throw failure(outcome, exchange, error);
      }
    });
  }
  const handlers = new Map(router.handlers.map((handle) => [handle.requestPath, handle]));
  const reflection = handlers.get(reflectionPath);
  if (reflection !== undefined) handlers.set(alphaPath, reflection);
  return new Map(
    [...handlers].map(([path, handle]): [string, StreamHandler] => [
      path,
      async (exchange, outcome) => {
        // Health watches never end.
        const isPublic = !names.some((name) => path.startsWith(`/${name}/`));
        if (isPublic) markLasting(exchange, "request");
        const signal = isPublic ? AbortSignal.any([closed(exchange), exchange.draining]) : closed(exchange);
        const { method, httpVersion, url, headers } = exchange;
        // An unreadable request gets its error on the same stream, so the iterator must not destroy it.
        const body = exchange.body.iterator({ destroyOnReturn: false });
        const header = new Headers();
        for (const [name, value] of Object.entries(headers)) {
          if (typeof value === "string" && !name.startsWith(":")) header.set(name, value);
        }
        const universalUrl = new URL(url, "http://localhost").toString();
        const contextValues = createContextValues().set(servedKey, { exchange, outcome });
        const request = { method, httpVersion, url: universalUrl, header, body, signal, contextValues };
        await exchange.stream(toAnswer(await handle(request)));
      },
    ]),
  );
}

function served({ values }: HandlerContext): Served {
  const found = values.get(servedKey);
  if (found === undefined) throw new Error("a request of the router has its exchange");
  return found;
}

function toAnswer({ status, header = new Headers(), body, trailer }: UniversalServerResponse) {
  return { status, headers: Object.fromEntries(header), body, trailers: () => Object.fromEntries(trailer ?? []) };
}

function closed({ response }: Exchange): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => controller.abort());
  return controller.signal;
}
