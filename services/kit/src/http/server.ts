// HTTP/1.1 servers that close the connection after an early response (RFC 9112 §9.3): a proxy that reused the
// connection would send another client's request after the rest of the body.

import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  type Server,
  type ServerOptions,
  ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import { bodyBytesMax } from "@ems/proto/limits";

/** Time for a client to read its last response: an immediate close would reset the connection and lose the response. */
export const lingerMs = 5_000;

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** Connections that end after their current response, with the number of bytes that may still be discarded. */
const lastAnswers = new WeakMap<Socket, { bytesLeft: number }>();

/** A response that ends its connection if it is sent before the request's body has arrived. */
export class HttpResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /** Maximum bytes of the unread body to discard; a client that sends more is disconnected. */
  unreadBytesMax = bodyBytesMax;

  override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
    if (hasBody(this.req) && !this.req.complete) this.#endConnection();
    return typeof reason === "string" ? super.writeHead(status, reason, headers) : super.writeHead(status, reason);
  }

  #endConnection(): void {
    const { socket } = this.req;
    this.shouldKeepAlive = false;
    lastAnswers.set(socket, { bytesLeft: this.unreadBytesMax });
    discard(this.req);
    // Called by Node after the response is written; the default would reset a client that still sends.
    socket.destroySoon = () => {
      socket.end();
      const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
      socket.once("close", () => clearTimeout(timer));
    };
  }
}

export type HttpHandle = (request: IncomingMessage, response: HttpResponse) => void;

/** Creates a server that does not listen yet; `handle` gets no request after an early response. */
export function createHttpServer(options: ServerOptions, handle: HttpHandle): Server {
  const dispatch = (request: IncomingMessage, response: HttpResponse) => {
    if (lastAnswers.has(request.socket)) return discard(request);
    if (!hasBody(request)) return handle(request, response);
    // Wait a turn: a body in the same packet as its headers is then parsed, so its response is not early.
    setImmediate(() => {
      if (!request.socket.destroyed) handle(request, response);
    });
  };
  const server = createServer({ ...options, ServerResponse: HttpResponse });
  return server.on("request", dispatch).on("checkExpectation", dispatch);
}

function discard(request: IncomingMessage): void {
  const { socket } = request;
  const rest = lastAnswers.get(socket);
  request.on("data", (chunk: Buffer) => {
    if (rest === undefined) return;
    rest.bytesLeft -= chunk.length;
    if (rest.bytesLeft < 0) socket.destroy();
  });
  request.resume();
  // Starts reading: otherwise Node would drop the body of an unread request without counting it.
  request.read(0);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}
