// Bounds connections over which no caller has authenticated yet. A process of the mesh authenticates at once, so the oldest
// of them are the ones to close.

import type { Socket } from "node:net";

/** One more, and the oldest is closed. */
export const unauthenticatedMax = 200;

interface RemoteEnd {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
}

export class UnauthenticatedConnections {
  readonly #sockets = new Map<string, Socket>();

  add(socket: Socket): void {
    const key = keyOf(socket);
    this.#sockets.set(key, socket);
    // A closed socket has no remote end any more, hence the key.
    socket.once("close", () => this.#sockets.delete(key));
    const [oldest] = this.#sockets.size > unauthenticatedMax ? this.#sockets : [];
    if (oldest === undefined) return;
    this.#sockets.delete(oldest[0]);
    oldest[1].destroy();
  }

  /** A caller has authenticated over the connection. */
  authenticated(remote: RemoteEnd): void {
    this.#sockets.delete(keyOf(remote));
  }
}

function keyOf({ remoteAddress, remotePort }: RemoteEnd): string {
  return `${remoteAddress} ${remotePort}`;
}
