// A client on bare sockets, for what HTTP clients do not offer: half a request, unread answers, silent connections.

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export { requestHead, statusesIn } from "./raw-text.ts";

export interface RawClient {
  readonly socket: Socket;
  /** Received text so far; empty before `take`. */
  readonly received: () => string;
  /** Starts to read. */
  read(): RawClient;
  /** Resolves with the milliseconds from connecting to the end of the connection, by either side. */
  readonly closed: Promise<number>;
}

/** Connects, sends `text`, and reads nothing before `take`; a half-open connection never ends by itself. */
export async function rawClient(baseUrl: string, text = "", { allowHalfOpen = false } = {}): Promise<RawClient> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen }).pause();
  onTestFinished(() => void socket.destroy());
  const chunks: Buffer[] = [];
  const startedMs = Date.now();
  // A connection closed by the server may end with an error; only its end matters.
  socket.on("error", () => undefined);
  const closed = new Promise<number>((resolve) => socket.once("close", () => resolve(Date.now() - startedMs)));
  await Promise.race([once(socket, "connect").catch(() => undefined), closed]);
  socket.write(text, "latin1");
  const client = {
    socket,
    received: () => Buffer.concat(chunks).toString("latin1"),
    read: () => {
      socket.on("data", (chunk: Buffer) => chunks.push(chunk));
      socket.resume();
      return client;
    },
    closed,
  };
  return client;
}

export const rawClients = (count: number, baseUrl: string, text = "", options = {}) =>
  Promise.all(Array.from({ length: count }, () => rawClient(baseUrl, text, options)));
