// Connections over which nobody has proven a name yet: few, whoever opens them. A process of the mesh that opens one calls
// over it at once, so the oldest are the ones to spare.

import type { Socket } from "node:net";

/** One more, and the oldest is closed. */
export const strangersMax = 200;

interface End {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
}

export class Strangers {
  readonly #sockets = new Map<string, Socket>();

  add(socket: Socket): void {
    const key = keyOf(socket);
    this.#sockets.set(key, socket);
    // A socket that is closed tells its ends no more.
    socket.once("close", () => this.#sockets.delete(key));
    const [oldest] = this.#sockets.size > strangersMax ? this.#sockets : [];
    if (oldest === undefined) return;
    this.#sockets.delete(oldest[0]);
    oldest[1].destroy();
  }

  /** Somebody who is known calls over the connection with this other end. */
  known(end: End): void {
    this.#sockets.delete(keyOf(end));
  }
}

function keyOf({ remoteAddress, remotePort }: End): string {
  return `${remoteAddress} ${remotePort}`;
}
