// A TLS webhook receiver on loopback with a behavior set by a test: healthy, or any of the failures of real
// receivers.

import { once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import type { KeyAndCertificate } from "../certificates.ts";

/** Answer to one request. */
export type Behaviour =
  | { readonly kind: "answer"; readonly status: number; readonly headers?: Headers; readonly body?: string | Buffer }
  /** Like `answer`, after a delay. */
  | { readonly kind: "late"; readonly status: number; readonly afterMs: number; readonly body?: string }
  /** Like `answer`, once the test releases it. */
  | { readonly kind: "held"; readonly status: number; readonly when: Promise<void>; readonly body?: string }
  /** Never answers; never ends an answer that it began with 200. */
  | { readonly kind: "hang" | "hang-after-headers" }
  /** Drips bytes endlessly: of the body of an answer that began with 200, or of its headers. */
  | { readonly kind: "drip"; readonly everyMs: number; readonly status?: number }
  | { readonly kind: "drip-headers"; readonly everyMs: number }
  /** Closes the connection: before an answer, or within one that began with 200. */
  | { readonly kind: "reset" | "reset-in-body" }
  /** Sends less than announced; sends more than announced. */
  | { readonly kind: "short-body" | "long-body" }
  /** An endless body, up to `bytesMax`. */
  | { readonly kind: "endless"; readonly bytesMax: number; readonly status?: number }
  /** Bytes that are not HTTP. */
  | { readonly kind: "garbage" }
  /** Exactly these bytes, then the end of the connection. */
  | { readonly kind: "raw"; readonly text: string };

type Headers = Readonly<Record<string, string>>;

export interface ReceivedRequest {
  /** `webhook-id`. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly port: number;
  /** TCP connections so far, with or without TLS. */
  readonly connections: number;
  /** Complete requests so far, oldest first; empty if they are not recorded. */
  readonly requests: readonly ReceivedRequest[];
  /** Number of arrivals of each `webhook-id`. */
  readonly received: ReadonlyMap<string, number>;
  /** `webhook-id` of requests that are not fully answered yet. */
  readonly inHand: ReadonlySet<string>;
  /** Maximum number of concurrent requests, and of requests whose id was in progress already. */
  readonly inHandMax: number;
  readonly overlaps: number;
  behave(behaviour: Behaviour | ((request: ReceivedRequest) => Behaviour)): void;
  /** Sets the certificate of further connections. */
  present(identity: KeyAndCertificate): void;
  /** May be called again. */
  close(): Promise<void>;
}

export interface ReceiverOptions {
  /** Its certificate. */
  readonly identity: KeyAndCertificate;
  /** Default: 127.0.1.1. */
  readonly host?: string;
  readonly port?: number;
  /** True if whole requests are recorded (the default). A load would fill the memory. */
  readonly keepsRequests?: boolean;
}

export async function startReceiver({ identity, host = "127.0.1.1", port = 0, keepsRequests = true }: ReceiverOptions) {
  const requests: ReceivedRequest[] = [];
  const received = new Map<string, number>();
  const inHand = new Set<string>();
  const sockets = new Set<Socket>();
  let connections = 0;
  let inHandNow = 0;
  let inHandMax = 0;
  let overlaps = 0;
  let behaviour: (request: ReceivedRequest) => Behaviour = () => ({ kind: "answer", status: 200 });
  const server = createServer(
    { ...identity, keepAliveTimeout: 60_000, requestTimeout: 0 },
    async (message, response) => {
      const request = await read(message).catch(() => undefined);
      if (request === undefined) return;
      const { id } = request;
      if (keepsRequests) requests.push(request);
      received.set(id, (received.get(id) ?? 0) + 1);
      if (inHand.has(id)) overlaps++;
      inHand.add(id);
      inHandMax = Math.max(inHandMax, ++inHandNow);
      response.on("close", () => {
        inHand.delete(id);
        inHandNow--;
      });
      response.on("error", () => undefined);
      answer(response, behaviour(request));
    },
  );
  server.on("connection", (socket) => {
    connections++;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(port, host);
  await once(server, "listening");
  const receiver: Receiver = {
    port: getPort(server),
    requests,
    received,
    inHand,
    get connections() {
      return connections;
    },
    get inHandMax() {
      return inHandMax;
    },
    get overlaps() {
      return overlaps;
    },
    behave(next) {
      behaviour = typeof next === "function" ? next : () => next;
    },
    present: (next) => server.setSecureContext(next),
    async close() {
      if (!server.listening) return;
      server.close();
      // Node's server would leave connections with a pending TLS handshake open, and answer on them.
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
  return receiver;
}

async function read(message: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  const { method = "", url = "", headers } = message;
  const body = Buffer.concat(chunks).toString("utf8");
  return { id: String(headers["webhook-id"]), method, path: url, headers, body };
}

function answer(response: ServerResponse, behaviour: Behaviour): void {
  switch (behaviour.kind) {
    case "answer":
      response.writeHead(behaviour.status, behaviour.headers).end(behaviour.body);
      return;
    case "late":
      setTimeout(() => response.writeHead(behaviour.status).end(behaviour.body), behaviour.afterMs);
      return;
    case "held":
      void behaviour.when.then(() => response.writeHead(behaviour.status).end(behaviour.body));
      return;
    case "hang":
      return;
    case "hang-after-headers":
      response.writeHead(200).flushHeaders();
      return;
    case "drip":
      response.writeHead(behaviour.status ?? 200);
      drip(response, behaviour.everyMs, () => response.write("."));
      return;
    case "drip-headers":
      response.socket?.write("HTTP/1.1 200 OK\r\nx-slow: ");
      drip(response, behaviour.everyMs, () => response.socket?.write("."));
      return;
    case "reset":
      response.socket?.destroy();
      return;
    case "reset-in-body":
      response.writeHead(200).write("half of", () => response.socket?.destroy());
      return;
    case "short-body":
      response.socket?.end("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nshort");
      return;
    case "long-body":
      response.socket?.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nmuch more than two bytes");
      return;
    case "endless":
      pour(response, behaviour.status ?? 200, behaviour.bytesMax);
      return;
    case "garbage":
      response.socket?.end("220 mail.example.com ESMTP\r\n");
      return;
    case "raw":
      response.socket?.end(behaviour.text);
  }
}

function drip(response: ServerResponse, everyMs: number, write: () => void): void {
  const timer = setInterval(write, everyMs);
  response.on("close", () => clearInterval(timer));
}

function pour(response: ServerResponse, status: number, bytesMax: number): void {
  response.writeHead(status);
  const chunk = Buffer.alloc(64 * 1024, "x");
  let left = bytesMax;
  const go = () => {
    while (left > 0 && !response.destroyed) {
      left -= chunk.length;
      if (!response.write(chunk)) return;
    }
    response.end();
  };
  response.on("drain", go);
  go();
}

/** A listener that must never get a connection. */
export interface ForbiddenListener {
  readonly port: number;
  readonly connections: number;
  close(): Promise<void>;
}

export async function startForbiddenListener(host: string, port = 0): Promise<ForbiddenListener> {
  let connections = 0;
  const server = createTcpServer((socket) => {
    connections++;
    socket.destroy();
  });
  server.listen(port, host);
  await once(server, "listening");
  return {
    port: getPort(server),
    get connections() {
      return connections;
    },
    async close() {
      server.close();
      await once(server, "close");
    },
  };
}

function getPort(server: Server): number {
  // A server that listens on TCP has a port.
  return (server.address() as AddressInfo).port;
}
