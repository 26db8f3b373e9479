// Answers before the request's body has arrived: what is left of it is discarded, within a limit.

import type { IncomingMessage } from "node:http";

/**
 * To be called before the answer is sent. A connection that was closed at once would be reset by the bytes on their way, and
 * the client would miss its answer. More than `bytesMax` end the connection; the server's requestTimeout bounds the time.
 */
export function discardUnread(request: IncomingMessage, bytesMax: number): void {
  if (request.complete || request.destroyed) return;
  let bytes = 0;
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > bytesMax) request.socket.destroy();
  });
  request.resume();
}
