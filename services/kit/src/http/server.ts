// HTTP/1.1 servers whose early answers end their connection (RFC 9112 §9.3): a proxy that reused the connection would send
// another client's request behind the rest of the body.

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

/** Time for a client to read its last answer: cut at once, the connection would be reset and the answer lost. */
export const lingerMs = 5_000;

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** Connections that end after their present answer, with the bytes that may still be discarded. */
const lastAnswers = new WeakMap<Socket, { bytesLeft: number }>();

/** A response that ends its connection when it is sent before the request's body has arrived. */
export class HttpResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /** Bytes of the unread body that are discarded; a client that sends more is cut off. */
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
    // Node calls it once the answer is written; its own method would reset a client that still sends.
    socket.destroySoon = () => {
      socket.end();
      const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
      socket.once("close", () => clearTimeout(timer));
    };
  }
}

export type HttpHandle = (request: IncomingMessage, response: HttpResponse) => void;

/** Creates a server, not yet listening; `handle` gets no request behind an early answer. */
export function createHttpServer(options: ServerOptions, handle: HttpHandle): Server {
  const dispatch = (request: IncomingMessage, response: HttpResponse) => {
    if (lastAnswers.has(request.socket)) return discard(request);
    if (!hasBody(request)) return handle(request, response);
    // A body in the packet of its headers is parsed by then, and its answer is not early.
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
  // Begins to read at once: Node would drop the body of a request that nothing has read, uncounted.
  request.read(0);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}
