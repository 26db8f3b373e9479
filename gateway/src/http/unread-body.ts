// Answers before the request's body has arrived: what is left of it is discarded, within a limit.

import type { IncomingMessage } from "node:http";

/** Long enough for a client that is sending. */
const lingerMs = 5_000;

/**
 * To be called before the answer is sent. A connection that was closed at once would be reset by the bytes on their way, and
 * the client would miss its answer. More than `bytesMax` end the connection, and so does a rest that does not arrive soon.
 */
export function discardUnread(request: IncomingMessage, bytesMax: number): void {
  if (request.complete || request.destroyed) return;
  const disconnect = () => request.destroy();
  const timer = setTimeout(disconnect, lingerMs).unref();
  let bytes = 0;
  request
    .on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bytesMax) disconnect();
    })
    .once("end", () => clearTimeout(timer))
    .once("close", () => clearTimeout(timer))
    .resume();
}
