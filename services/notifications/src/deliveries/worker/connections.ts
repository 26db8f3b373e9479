// Connection pool: most deliveries cost no TLS handshake. A connection is bound to its address, and reused only while that
// address is among those just checked.

import { isIP, type LookupFunction, type TcpSocketConnectOpts } from "node:net";
import { type ConnectionOptions, connect, type SecureContext, type TLSSocket } from "node:tls";
import { Client } from "undici";
import { canonicalAddress, type Target } from "../../hosts/index.ts";

type Reachable = Extract<Target, { ok: true }>;

/** Ends a connection that takes too long, or leads to an address that was not checked. */
export class ConnectFailure extends Error {
  override name = "ConnectFailure";
  readonly code: "CONNECT_TIMEOUT" | "ADDRESS_NOT_CHECKED";

  constructor(code: ConnectFailure["code"]) {
    super(code);
    this.code = code;
  }
}

/** A connection, for one attempt at a time. */
export interface Connection {
  readonly client: Client;
  /** The remote address; undefined before it is open. */
  readonly address: string | undefined;
  /** Whether it was used before: then the receiver may have closed it meanwhile. */
  readonly isReused: boolean;
}

export interface ConnectionsOptions {
  /** Trusted authorities and TLS version. */
  readonly secureContext: SecureContext;
  readonly connectTimeoutMs: number;
  /** Idle connections of one webhook. */
  readonly idleMax: number;
}

/** Keep-alive of an idle connection. */
const keepAliveMs = 20_000;
/** Happy Eyeballs: the delay before the next address is tried in parallel. */
const nextAddressMs = 1_000;

interface PooledConnection {
  client: Client;
  address: string | undefined;
  isReused: boolean;
  isOpen: boolean;
  origin: string;
  /** The addresses that it may be opened to. */
  addresses: ReadonlySet<string>;
}

export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #idle = new Map<string, PooledConnection[]>();
  #count = 0;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** How many are open or being opened. */
  get count(): number {
    return this.#count;
  }

  /** A connection to the target for `owner`, a webhook: an idle one, or with `isNew` always a new one. */
  acquire(owner: string, { url, host, addresses }: Reachable, isNew = false): Connection {
    const idle = this.#idle.get(owner) ?? [];
    this.#idle.delete(owner);
    const checked = new Set(addresses);
    const usable = idle.filter((one) => isUsable(one, url.origin, checked));
    for (const one of idle) if (!usable.includes(one)) destroyClient(one.client);
    const reused = isNew ? undefined : usable.pop();
    if (usable.length > 0) this.#idle.set(owner, usable);
    if (reused === undefined) return this.#open(url.origin, host, checked);
    return Object.assign(reused, { addresses: checked, isReused: true });
  }

  /** Returns a connection to the pool, or closes it when it is of no more use. */
  release(owner: string, connection: Connection): void {
    // Only this class makes connections.
    const pooled = connection as PooledConnection;
    const idle = this.#idle.get(owner) ?? [];
    if (!pooled.isOpen || idle.length >= this.#options.idleMax) {
      destroyClient(pooled.client);
      return;
    }
    this.#idle.set(owner, [...idle, pooled]);
  }

  /** Forgets closed connections. */
  sweep(): void {
    for (const [owner, idle] of this.#idle) {
      const open = idle.filter((one) => one.isOpen);
      if (open.length > 0) this.#idle.set(owner, open);
      else this.#idle.delete(owner);
    }
  }

  async close(): Promise<void> {
    const all = [...this.#idle.values()].flat();
    this.#idle.clear();
    await Promise.all(all.map((one) => one.client.destroy()));
  }

  #open(origin: string, host: string, addresses: ReadonlySet<string>): PooledConnection {
    const client = new Client(origin, {
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: 3 * keepAliveMs,
      // The attempt has one timer for everything.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: ({ port }, callback) => {
        let isCalled = false;
        this.#connect(host, Number(port) || 443, pooled, (error, socket) => {
          if (isCalled) return;
          isCalled = true;
          if (error === null) callback(null, socket);
          else callback(error, null);
        });
      },
    });
    const pooled: PooledConnection = { client, address: undefined, isReused: false, isOpen: false, origin, addresses };
    return pooled;
  }

  /** Calls back on the connection and on every failure, never before the socket has all its listeners. */
  #connect(
    host: string,
    port: number,
    pooled: PooledConnection,
    callback: (error: Error | null, socket: TLSSocket) => void,
  ): void {
    const { secureContext, connectTimeoutMs } = this.#options;
    const options: ConnectionOptions &
      Pick<TcpSocketConnectOpts, "autoSelectFamily" | "autoSelectFamilyAttemptTimeout"> = {
      host,
      port,
      // SNI is for names; a certificate for an address is compared with the address.
      ...(isIP(host) === 0 && { servername: host }),
      secureContext,
      rejectUnauthorized: true,
      ALPNProtocols: ["http/1.1"],
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: nextAddressMs,
      lookup: pinnedLookup(pooled),
    };
    const socket = connect(options);
    socket.on("error", (error) => callback(error, socket));
    this.#count++;
    const timer = setTimeout(() => socket.destroy(new ConnectFailure("CONNECT_TIMEOUT")), connectTimeoutMs);
    socket.once("connect", () => {
      pooled.address = socket.remoteAddress === undefined ? undefined : canonicalAddress(socket.remoteAddress);
      if (!isChecked(pooled)) socket.destroy(new ConnectFailure("ADDRESS_NOT_CHECKED"));
    });
    socket.once("secureConnect", () => {
      clearTimeout(timer);
      socket.setNoDelay(true);
      pooled.isOpen = true;
      callback(null, socket);
    });
    socket.once("close", () => {
      clearTimeout(timer);
      pooled.isOpen = false;
      this.#count--;
      callback(new Error("closed"), socket);
    });
  }
}

/** Closes a connection; its failure is ignored, since an unhandled rejection would end the process. */
export function destroyClient(client: Client, error: Error | null = null): void {
  client.destroy(error).catch(() => undefined);
}

function isUsable(one: PooledConnection, origin: string, checked: ReadonlySet<string>): boolean {
  return one.isOpen && one.origin === origin && one.address !== undefined && checked.has(one.address);
}

function isChecked({ address, addresses }: PooledConnection): boolean {
  return address !== undefined && addresses.has(address);
}

/**
 * DNS pinning: answers every lookup with the checked addresses. In a later tick: an address without a route fails at once,
 * and would destroy a socket that has no listeners yet.
 */
export function pinnedLookup({ addresses }: Pick<PooledConnection, "addresses">): LookupFunction {
  return (name, { all, family }, callback) => {
    // 4, 6 or, for either, 0; also written "IPv4" and "IPv6".
    const requested = Number(String(family ?? 0).at(-1));
    const found = [...addresses]
      .map((address) => ({ address, family: isIP(address) }))
      .filter((one) => requested === 0 || one.family === requested);
    const [first] = found;
    process.nextTick(() => {
      if (first === undefined) callback(Object.assign(new Error(`no address of ${name}`), { code: "ENOTFOUND" }), []);
      else if (all) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
}
