// Connection pool, so that most deliveries need no TLS handshake. A connection is bound to one address, and is reused
// only if that address is among those that were just checked.

import type { SecureContext } from "node:tls";
import { connectChecked, type Target } from "@ems/kit/hosts";
import { Client } from "undici";

type Reachable = Extract<Target, { ok: true }>;

/** A connection, used by one attempt at a time. */
export interface Connection {
  readonly client: Client;
  /** Remote address; undefined until the connection is open. */
  readonly address: string | undefined;
  /** True if the connection was used before, in which case the receiver may have closed it since. */
  readonly isReused: boolean;
}

export interface ConnectionsOptions {
  /** Trusted certificate authorities and TLS version. */
  readonly secureContext: SecureContext;
  readonly connectTimeoutMs: number;
  /** Maximum number of idle connections per webhook. */
  readonly idleMax: number;
}

/** Time for which an idle connection is kept open. */
const keepAliveMs = 20_000;

interface PooledConnection {
  client: Client;
  address: string | undefined;
  isReused: boolean;
  isOpen: boolean;
  origin: string;
  /** Addresses to which the connection may be opened. */
  addresses: ReadonlySet<string>;
}

export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #idle = new Map<string, PooledConnection[]>();
  #count = 0;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** Number of connections that are open or opening. */
  get count(): number {
    return this.#count;
  }

  /** Returns a connection to the target for `owner` (a webhook): an idle one, or always a new one if `isNew`. */
  acquire(owner: string, { url, host, addresses }: Reachable, isNew = false): Connection {
    const idle = this.#idle.get(owner) ?? [];
    this.#idle.delete(owner);
    const checked = new Set(addresses);
    const usable = idle.filter((connection) => isUsable(connection, url.origin, checked));
    for (const connection of idle) if (!usable.includes(connection)) destroyClient(connection.client);
    const reused = isNew ? undefined : usable.pop();
    if (usable.length > 0) this.#idle.set(owner, usable);
    if (reused === undefined) return this.#open(url.origin, host, checked);
    return Object.assign(reused, { addresses: checked, isReused: true });
  }

  /** Takes a connection back into the pool, or closes it if it cannot be reused. */
  release(owner: string, connection: Connection): void {
    // Safe cast: only this class creates connections.
    const pooled = connection as PooledConnection;
    const idle = this.#idle.get(owner) ?? [];
    if (!pooled.isOpen || idle.length >= this.#options.idleMax) {
      destroyClient(pooled.client);
      return;
    }
    this.#idle.set(owner, [...idle, pooled]);
  }

  /** Removes connections that are closed. */
  sweep(): void {
    for (const [owner, idle] of this.#idle) {
      const open = idle.filter((connection) => connection.isOpen);
      if (open.length > 0) this.#idle.set(owner, open);
      else this.#idle.delete(owner);
    }
  }

  async close(): Promise<void> {
    const all = [...this.#idle.values()].flat();
    this.#idle.clear();
    await Promise.all(all.map((connection) => connection.client.destroy()));
  }

  #open(origin: string, host: string, addresses: ReadonlySet<string>): PooledConnection {
    const { secureContext, connectTimeoutMs } = this.#options;
    const client = new Client(origin, {
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: 3 * keepAliveMs,
      // No timeouts here, because the attempt has one timer for all phases.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: ({ port, protocol }, callback) => {
        let isCalled = false;
        const isSecure = protocol === "https:";
        const options = {
          host,
          port: Number(port) || (isSecure ? 443 : 80),
          addresses: () => pooled.addresses,
          secureContext: isSecure ? secureContext : undefined,
          timeoutMs: connectTimeoutMs,
          onAddress: (address: string | undefined) => {
            pooled.address = address;
          },
        };
        const socket = connectChecked(options, (error, connected) => {
          if (error === null) pooled.isOpen = true;
          if (isCalled) return;
          isCalled = true;
          if (error === null) callback(null, connected);
          else callback(error, null);
        });
        this.#count++;
        socket.once("close", () => {
          pooled.isOpen = false;
          this.#count--;
        });
      },
    });
    const pooled: PooledConnection = { client, address: undefined, isReused: false, isOpen: false, origin, addresses };
    return pooled;
  }
}

/** Closes a connection and ignores errors, because an unhandled rejection would end the process. */
export function destroyClient(client: Client, error: Error | null = null): void {
  client.destroy(error).catch(() => undefined);
}

function isUsable(connection: PooledConnection, origin: string, checked: ReadonlySet<string>): boolean {
  return (
    connection.isOpen &&
    connection.origin === origin &&
    connection.address !== undefined &&
    checked.has(connection.address)
  );
}
