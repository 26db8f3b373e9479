// Limits the age of HTTP/2 sessions: a client resolves a name with several addresses again when it connects, and so
// discovers new processes. grpc-js's own limit closes a session at once, which loses calls in transit.

import { constants, type ServerHttp2Session } from "node:http2";

/** Time within which GOAWAY reaches callers: many round trips within a data center. */
export const goawayMs = 100;
/** Time for calls in progress, longer than any deadline. */
const graceMs = 60_000;
/** Random variation of the age, up or down, so that sessions do not all end together. */
const jitter = 0.1;

/** GOAWAY with the highest stream id rejects no stream yet. */
const streamIdMax = 2 ** 31 - 1;

/** Asks the caller to start no new calls on the session; calls that arrive before it knows are still served. */
export function sendGoaway(session: ServerHttp2Session): void {
  if (!session.closed && !session.destroyed) session.goaway(constants.NGHTTP2_NO_ERROR, streamIdMax);
}

/** Ends sessions at `ageMs`; returns a function that stops this. */
export function limitAge(sessions: () => Iterable<ServerHttp2Session>, ageMs: number): () => void {
  const endsMs = new WeakMap<ServerHttp2Session, number>();
  // A plain timer suffices, since there is nothing asynchronous to wait for.
  const timer = setInterval(
    () => {
      const nowMs = performance.now();
      for (const session of sessions()) {
        const endMs = endsMs.get(session);
        if (endMs === undefined) endsMs.set(session, nowMs + ageMs * (1 + jitter * (Math.random() * 2 - 1)));
        else if (nowMs >= endMs) {
          endsMs.set(session, Number.POSITIVE_INFINITY);
          end(session);
        }
      }
    },
    Math.min(1_000, ageMs / 10),
  ).unref();
  return () => clearInterval(timer);
}

function end(session: ServerHttp2Session): void {
  sendGoaway(session);
  setTimeout(() => {
    if (session.destroyed) return;
    session.close();
    setTimeout(() => session.destroy(), graceMs).unref();
  }, goawayMs).unref();
}
