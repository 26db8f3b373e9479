// Noise of bare sockets: their bytes, their pace, and whether they read the answer. A closed socket is replaced.

import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { requestHead, statusesIn } from "../raw-text.ts";
import { type Counts, count, type Noise, type NoisyTarget } from "./noise.ts";

export { requestHead };

export interface SocketNoise {
  /** Number of concurrent sockets. */
  readonly sockets: number;
  /** First bytes of each connection. */
  readonly text: (target: NoisyTarget) => string | Promise<string>;
  /** Bytes that each connection sends every half second after that. */
  readonly more?: string;
  /** True if it reads the answer. */
  readonly isReading: boolean;
}

const moreEveryMs = 500;
/** Pause between the end of a socket and its successor. */
const reopenMs = 250;

export function socketNoise({ sockets, text, more, isReading }: SocketNoise): Noise {
  return async (target, { seconds }) => {
    const counts: Counts = {};
    const endMs = performance.now() + seconds * 1_000;
    const request = await text(target);
    const connectOnce = async () => {
      while (performance.now() < endMs) {
        const statuses = await openSocket(target, { request, more, isReading, endMs });
        for (const status of statuses) count(counts, status);
        await delay(Math.min(reopenMs, Math.max(0, endMs - performance.now())));
      }
    };
    await Promise.all(Array.from({ length: sockets }, connectOnce));
    return counts;
  };
}

interface Life {
  readonly request: string;
  readonly more: string | undefined;
  readonly isReading: boolean;
  readonly endMs: number;
}

/** Time from connecting to the end of the connection, by either side. */
function openSocket({ baseUrl }: NoisyTarget, { request, more, isReading, endMs }: Life): Promise<(string | number)[]> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(baseUrl);
    const socket = connect(Number(port), hostname);
    let received = "";
    let isGivenUp = false;
    const timer = more === undefined ? undefined : setInterval(() => socket.write(more), moreEveryMs);
    const end = setTimeout(
      () => {
        isGivenUp = true;
        socket.destroy();
      },
      Math.max(1, endMs - performance.now()),
    );
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearInterval(timer);
      clearTimeout(end);
      const statuses = statusesIn(received);
      resolve(statuses.length > 0 ? statuses : [isGivenUp ? "unanswered" : "closed"]);
    });
    if (isReading)
      socket.on("data", (chunk: Buffer) => (received = (received + chunk.toString("latin1")).slice(-4_096)));
    socket.write(request, "latin1");
  });
}
