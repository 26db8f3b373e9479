// Common parts of noisy clients: duration, concurrency, maximum rate, and counts.

import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

/** The address that a noisy client calls, and its key. */
export interface NoisyTarget {
  readonly baseUrl: string;
  readonly applicationId: string;
  readonly apiKey: string;
}

/** Every noise is bounded. */
export interface NoisyLimits {
  readonly seconds: number;
  /** Maximum requests per second on all connections together, regardless of the answers. */
  readonly perSecondMax: number;
}

/** Answers by status; `closed`: the connection ended without an answer, `unanswered`: the client gave up. */
export type Counts = Record<string, number>;

/** Makes noise, and counts the answers. */
export type Noise = (target: NoisyTarget, limits: NoisyLimits) => Promise<Counts>;

export interface Sent {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export function credentials({ apiKey, applicationId }: NoisyTarget): Record<string, string> {
  return { "x-api-key": apiKey, "x-application-id": applicationId, "content-type": "application/json" };
}

export function count(counts: Counts, what: string | number): void {
  counts[what] = (counts[what] ?? 0) + 1;
}

/** Waits until `atMs` of this process's clock. */
export const until = (atMs: number) => delay(Math.max(0, atMs - performance.now()));

/** Sends requests over that many connections without pause, regardless of refusals. */
export function requestNoise(connections: number, next: (target: NoisyTarget, turn: number) => Sent): Noise {
  return async (target, { seconds, perSecondMax }) => {
    const agent = new Agent({ keepAlive: true, maxSockets: connections });
    const counts: Counts = {};
    const startMs = performance.now();
    const endMs = startMs + seconds * 1_000;
    let turn = 0;
    const connect = async () => {
      while (performance.now() < endMs) {
        const mine = turn++;
        await until(Math.min(endMs, startMs + (mine * 1_000) / perSecondMax));
        if (performance.now() < endMs) count(counts, await sent(agent, target, next(target, mine), endMs));
      }
    };
    await Promise.all(Array.from({ length: connections }, connect));
    agent.destroy();
    return counts;
  };
}

/** Status of the answer, or another outcome of the request; waits no longer than `endMs`. */
export function sent(agent: Agent, target: NoisyTarget, { method, path, headers, body }: Sent, endMs: number) {
  return new Promise<string>((resolve) => {
    const sending = request(target.baseUrl + path, {
      agent,
      method,
      headers: {
        ...credentials(target),
        ...(body !== undefined && { "content-length": String(Buffer.byteLength(body)) }),
        ...headers,
      },
    });
    const timer = setTimeout(
      () => {
        resolve("unanswered");
        sending.destroy();
      },
      Math.max(1, endMs - performance.now()),
    );
    sending.on("error", () => resolve("closed"));
    sending.on("close", () => {
      clearTimeout(timer);
      resolve("closed");
    });
    sending.on("response", (response) => {
      response.on("error", () => undefined);
      response.resume().on("end", () => resolve(String(response.statusCode)));
    });
    sending.end(body);
  });
}
