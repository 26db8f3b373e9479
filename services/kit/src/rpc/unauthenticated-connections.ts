// Limits connections over which no caller has authenticated yet. Processes of the mesh authenticate at once, so the
// oldest unauthenticated connections are closed.

import type { Socket } from "node:net";

/** Maximum unauthenticated connections; above it the oldest is closed. */
export const unauthenticatedMax = 200;

interface RemoteEnd {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
}

export class UnauthenticatedConnections {
  readonly #sockets = new Map<string, Socket>();

  add(socket: Socket): void {
    const key = toKey(socket);
    this.#sockets.set(key, socket);
    // A closed socket has no remote end, so its key is stored.
    socket.once("close", () => this.#sockets.delete(key));
    const [oldest] = this.#sockets.size > unauthenticatedMax ? this.#sockets : [];
    if (oldest === undefined) return;
    this.#sockets.delete(oldest[0]);
    oldest[1].destroy();
  }

  /** Records that a caller has authenticated over the connection. */
  authenticated(remote: RemoteEnd): void {
    this.#sockets.delete(toKey(remote));
  }
}

function toKey({ remoteAddress, remotePort }: RemoteEnd): string {
  return `${remoteAddress} ${remotePort}`;
}
