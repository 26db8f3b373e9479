// Maximum age of a client's connection: clients reconnect after it, since a permanent connection never reaches new
// replicas.

import { secureRandom } from "@ems/kit/id";
import type { GatewayConfig } from "../config.ts";

/** Random variation of the age: clients that connected together should not reconnect together. */
const jitter = 0.1;

type Config = Pick<GatewayConfig, "GRPC_CONNECTION_AGE_MAX_MS" | "GRPC_CONNECTION_AGE_GRACE_MS">;

export class ConnectionAge {
  readonly #oldAtMs: number;
  readonly #graceMs: number;
  readonly #draining = new AbortController();

  constructor({ GRPC_CONNECTION_AGE_MAX_MS: ageMs, GRPC_CONNECTION_AGE_GRACE_MS: graceMs }: Config) {
    const share = secureRandom(4).readUInt32LE() / 2 ** 32;
    this.#oldAtMs = performance.now() + ageMs * (1 - jitter + 2 * jitter * share);
    this.#graceMs = graceMs;
  }

  /** Aborted when the connection is to end. */
  get draining(): AbortSignal {
    return this.#draining.signal;
  }

  end(): void {
    this.#draining.abort();
  }

  /** Returns `old` once at the maximum age, then `over` after the grace period of its requests. */
  reached(nowMs: number): "old" | "over" | undefined {
    if (nowMs < this.#oldAtMs) return undefined;
    if (nowMs > this.#oldAtMs + this.#graceMs) return "over";
    return this.#draining.signal.aborted ? undefined : "old";
  }
}
