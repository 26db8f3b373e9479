// Connect and gRPC-Web over HTTP/1.1 (`curl` with JSON, a browser's client) for the endpoints of a service.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { ConnectError, createContextKey, createContextValues } from "@connectrpc/connect";
import { codeToHttpStatus, errorToJson } from "@connectrpc/connect/protocol-connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { canceled, internalError } from "../errors.ts";
import type { Gate } from "./admission.ts";
import type { Endpoint } from "./dispatch.ts";
import { IncomingRequest } from "./request.ts";
import { LazySignal } from "./signal.ts";
import type { Caller } from "./tokens/claims.ts";
import { maxMessageBytes } from "./wire.ts";

const admittedKey = createContextKey<Caller | undefined>(undefined);

export function connectServer(endpoints: readonly Endpoint[], gate: Gate): Server {
  const { authenticate, receiving, strangers } = gate;
  const callers = new WeakMap<IncomingMessage, Caller>();
  const handle = connectNodeAdapter({
    grpc: false,
    readMaxBytes: maxMessageBytes,
    writeMaxBytes: maxMessageBytes,
    contextValues: (request) => createContextValues().set(admittedKey, callers.get(request as IncomingMessage)),
    routes: (router) => {
      for (const endpoint of endpoints) {
        router.rpc(endpoint.method, async (message, context) => {
          const signal = new LazySignal();
          context.signal.addEventListener("abort", () => signal.abort(canceled(context.signal.reason)));
          const remainingMs = context.timeoutMs();
          const deadlineMs = remainingMs === undefined ? undefined : Date.now() + remainingMs;
          const caller = context.values.get(admittedKey);
          const request = new IncomingRequest(endpoint, caller, message, context.requestHeader, deadlineMs, signal);
          const { message: answer, header } = await endpoint.invoke(request);
          for (const [name, value] of header) context.responseHeader.set(name, value);
          return answer;
        });
      }
    },
  });
  const limits = { headersTimeout: 10_000, requestTimeout: 15_000, connectionsCheckingInterval: 1_000 };
  return createServer({ ...limits, maxHeaderSize: 16 * 1024 }, async (request, response) => {
    const incoming = receiving.begin(maxMessageBytes, (why) => refuse(request, response, why));
    request.once("end", () => incoming.end());
    request.once("close", () => incoming.end());
    try {
      callers.set(request, await authenticate(request.headers.authorization));
      strangers.known(request.socket);
      // What is announced, or what may come: the adapter does not tell what it reads.
      incoming.add(Number(request.headers["content-length"] ?? maxMessageBytes));
    } catch (error) {
      return incoming.stop(error instanceof ConnectError ? error : internalError(error));
    }
    if (!request.destroyed && !response.headersSent) handle(request, response);
  });
}

/** Answers without reading the body, and closes the connection that it would come over. */
function refuse(request: IncomingMessage, response: ServerResponse, why: ConnectError): void {
  if (response.headersSent) return void request.destroy();
  const headers = { "content-type": "application/json", connection: "close" };
  response.writeHead(codeToHttpStatus(why.code), headers);
  response.end(JSON.stringify(errorToJson(why, undefined)), () => request.destroy());
}
