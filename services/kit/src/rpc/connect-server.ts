// Connect and gRPC-Web over HTTP/1.1 (`curl` with JSON, a browser's client) for the endpoints of a service.

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { type ConnectError, createContextKey, createContextValues } from "@connectrpc/connect";
import { codeToHttpStatus, errorToJson } from "@connectrpc/connect/protocol-connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { monotonicMs } from "../clock.ts";
import { encodable } from "../codec.ts";
import { canceled } from "../errors.ts";
import { createHttpServer } from "../http/server.ts";
import { messageBytesMax } from "../limits/sizes.ts";
import type { Admission } from "./authenticate-call.ts";
import { requestIdHeader } from "./call.ts";
import type { Endpoint } from "./endpoints.ts";
import { IncomingRequest, LazySignal } from "./incoming-request.ts";
import { refusal } from "./refuse.ts";
import type { Caller } from "./tokens/claims.ts";

const admittedCallerKey = createContextKey<Caller | undefined>(undefined);

export function connectServer(endpoints: readonly Endpoint[], admission: Admission): Server {
  const { authenticate, inbound, unauthenticated } = admission;
  const callers = new WeakMap<IncomingMessage, Caller>();
  const handle = connectNodeAdapter({
    grpc: false,
    readMaxBytes: messageBytesMax,
    writeMaxBytes: messageBytesMax,
    // An unknown field or enum value would otherwise be dropped: a misspelled filter would list everything.
    jsonOptions: { ignoreUnknownFields: false },
    contextValues: (request) => createContextValues().set(admittedCallerKey, callers.get(request as IncomingMessage)),
    routes: (router) => {
      for (const endpoint of endpoints) {
        router.rpc(endpoint.method, async (message, context) => {
          const signal = new LazySignal();
          context.signal.addEventListener("abort", () => signal.abort(canceled(context.signal.reason)));
          const remainingMs = context.timeoutMs();
          const deadlineMs = remainingMs === undefined ? undefined : monotonicMs() + remainingMs;
          const caller = context.values.get(admittedCallerKey);
          const request = new IncomingRequest(endpoint, caller, message, context.requestHeader, deadlineMs, signal);
          const { message: answer, header } = await endpoint.invoke(request);
          for (const [name, value] of header) context.responseHeader.set(name, value);
          return encodable(endpoint.method.output, answer);
        });
      }
    },
  });
  const limits = { headersTimeout: 10_000, requestTimeout: 15_000, connectionsCheckingInterval: 1_000 };
  return createHttpServer({ ...limits, maxHeaderSize: 16 * 1024 }, async (request, response) => {
    const message = inbound.begin(messageBytesMax, (error) => reject(request, response, error));
    request.once("end", () => message.end());
    request.once("close", () => message.end());
    try {
      callers.set(request, await authenticate(request.headers.authorization));
      unauthenticated.authenticated(request.socket);
      // Counts the declared or else the largest possible length: the adapter does not report what it reads.
      message.add(Number(request.headers["content-length"] ?? messageBytesMax));
    } catch (error) {
      return message.reject(refusal(error, request.headers[requestIdHeader]));
    }
    if (!request.destroyed && !response.headersSent) handle(request, response);
  });
}

/** Responds without handling the body, and closes the connection. */
function reject(request: IncomingMessage, response: ServerResponse, error: ConnectError): void {
  if (response.headersSent) return void request.destroy();
  const headers = { ...Object.fromEntries(error.metadata), "content-type": "application/json", connection: "close" };
  response.writeHead(codeToHttpStatus(error.code), headers);
  response.end(JSON.stringify(errorToJson(error, undefined)));
}
