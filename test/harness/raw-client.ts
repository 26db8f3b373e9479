// A client of bare sockets, for what no HTTP client does: half a request, answers that nobody takes, a connection that is silent.

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export { requestHead, statusesIn } from "./raw-text.ts";

export interface RawClient {
  readonly socket: Socket;
  /** What came so far; nothing before `take`. */
  readonly received: () => string;
  /** Starts to take what is sent. */
  read(): RawClient;
  /** Settles with the milliseconds from connecting to the connection's end, whichever side ended it. */
  readonly closed: Promise<number>;
}

/** Connects, says `text`, and takes no byte of what is answered until told; half-open, it never ends by itself. */
export async function rawClient(baseUrl: string, text = "", { allowHalfOpen = false } = {}): Promise<RawClient> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen }).pause();
  onTestFinished(() => void socket.destroy());
  const chunks: Buffer[] = [];
  const startedMs = Date.now();
  // A connection that the other side has cut ends with an error; that it ended is what is looked at.
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
