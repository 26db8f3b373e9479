import type { Socket } from "node:net";
import { clientNetwork } from "../auth/client-address.ts";
import type { GatewayConfig } from "../config.ts";

/** Connections by client network. Behind a trusted proxy all clients share its address, so there is no limit. */
export class AddressLimit {
  readonly #max: number;
  readonly #countByNetwork = new Map<string, number>();

  constructor({ TRUST_PROXY, CONNECTIONS_PER_ADDRESS_MAX }: GatewayConfig) {
    this.#max = TRUST_PROXY === false ? CONNECTIONS_PER_ADDRESS_MAX : Number.POSITIVE_INFINITY;
  }

  /** Counts the connection until it closes; false when it is one too many. */
  accept(socket: Socket): boolean {
    if (this.#max === Number.POSITIVE_INFINITY || socket.remoteAddress === undefined) return true;
    const network = clientNetwork(socket.remoteAddress);
    const count = this.#countByNetwork.get(network) ?? 0;
    if (count >= this.#max) return false;
    this.#countByNetwork.set(network, count + 1);
    socket.once("close", () => {
      const left = (this.#countByNetwork.get(network) ?? 1) - 1;
      if (left > 0) this.#countByNetwork.set(network, left);
      else this.#countByNetwork.delete(network);
    });
    return true;
  }
}
