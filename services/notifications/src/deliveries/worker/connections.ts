// Connections to receivers, kept between attempts so that most deliveries cost no handshake. Each one knows the address that
// it leads to, and is used only while that address is among those just checked.

import { isIP, type LookupFunction, type TcpSocketConnectOpts } from "node:net";
import { type ConnectionOptions, connect, type SecureContext, type TLSSocket } from "node:tls";
import { Client } from "undici";
import { canonicalAddress, type Target } from "../../hosts/index.ts";

type Reachable = Extract<Target, { ok: true }>;

/** Made when names, timers or sockets do not give what was asked for; `code` says which. */
export class ConnectFault extends Error {
  override name = "ConnectFault";
  readonly code: "CONNECT_TIMEOUT" | "ADDRESS_NOT_CHECKED";

  constructor(code: ConnectFault["code"]) {
    super(code);
    this.code = code;
  }
}

/** One connection, for one attempt at a time. */
export interface Connection {
  readonly client: Client;
  /** Where it leads to; undefined before it is open. */
  readonly address: string | undefined;
  /** Whether it was used before: then the receiver may have closed it meanwhile. */
  readonly isKept: boolean;
}

export interface ConnectionsOptions {
  /** What is trusted, and from which version of TLS on. */
  readonly secureContext: SecureContext;
  readonly connectTimeoutMs: number;
  /** How many are kept for one webhook. */
  readonly keptMax: number;
}

/** How long a connection is kept that nobody uses. */
const keepMs = 20_000;
/** How long one address has before the next is tried beside it. */
const nextAddressMs = 1_000;

interface Kept {
  client: Client;
  address: string | undefined;
  isKept: boolean;
  isOpen: boolean;
  origin: string;
  /** The addresses that it may be opened to. */
  addresses: ReadonlySet<string>;
}

export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #idle = new Map<string, Kept[]>();
  #count = 0;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** How many are open or being opened. */
  get count(): number {
    return this.#count;
  }

  /** A connection for `owner`, a webhook, to the target: one that is kept, or with `isNew` always another. */
  take(owner: string, { url, host, addresses }: Reachable, isNew = false): Connection {
    const idle = this.#idle.get(owner) ?? [];
    this.#idle.delete(owner);
    // What leads elsewhere, or to an address that the name no longer has, is of no use any more.
    const checked = new Set(addresses);
    const usable = idle.filter((kept) => isUsable(kept, url.origin, checked));
    for (const kept of idle) if (!usable.includes(kept)) discard(kept.client);
    const kept = isNew ? undefined : usable.pop();
    if (usable.length > 0) this.#idle.set(owner, usable);
    if (kept === undefined) return this.#open(url.origin, host, checked);
    return Object.assign(kept, { addresses: checked, isKept: true });
  }

  /** Takes a connection back, to be kept if it is still good. */
  giveBack(owner: string, connection: Connection): void {
    // Only this class makes connections.
    const kept = connection as Kept;
    const idle = this.#idle.get(owner) ?? [];
    if (!kept.isOpen || idle.length >= this.#options.keptMax) {
      discard(kept.client);
      return;
    }
    this.#idle.set(owner, [...idle, kept]);
  }

  /** Forgets connections that were closed since. */
  sweep(): void {
    for (const [owner, idle] of this.#idle) {
      const open = idle.filter((kept) => kept.isOpen);
      if (open.length > 0) this.#idle.set(owner, open);
      else this.#idle.delete(owner);
    }
  }

  async close(): Promise<void> {
    const all = [...this.#idle.values()].flat();
    this.#idle.clear();
    await Promise.all(all.map((kept) => kept.client.destroy()));
  }

  #open(origin: string, host: string, addresses: ReadonlySet<string>): Kept {
    const client = new Client(origin, {
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: keepMs,
      keepAliveMaxTimeout: 3 * keepMs,
      // The attempt has one timer for everything.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: ({ port }, callback) => {
        let isTold = false;
        this.#connect(host, Number(port) || 443, kept, (error, socket) => {
          if (isTold) return;
          isTold = true;
          if (error === null) callback(null, socket);
          else callback(error, null);
        });
      },
    });
    const kept: Kept = { client, address: undefined, isKept: false, isOpen: false, origin, addresses };
    return kept;
  }

  /** `tell` hears of the connection or of every failure, never before the socket has all its listeners. */
  #connect(host: string, port: number, kept: Kept, tell: (error: Error | null, socket: TLSSocket) => void): void {
    const { secureContext, connectTimeoutMs } = this.#options;
    const options: ConnectionOptions &
      Pick<TcpSocketConnectOpts, "autoSelectFamily" | "autoSelectFamilyAttemptTimeout"> = {
      host,
      port,
      // Server names are names; a certificate for an address is compared with the address.
      ...(isIP(host) === 0 && { servername: host }),
      secureContext,
      rejectUnauthorized: true,
      ALPNProtocols: ["http/1.1"],
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: nextAddressMs,
      lookup: checkedOnly(kept),
    };
    const socket = connect(options);
    socket.on("error", (error) => tell(error, socket));
    this.#count++;
    const timer = setTimeout(() => socket.destroy(new ConnectFault("CONNECT_TIMEOUT")), connectTimeoutMs);
    socket.once("connect", () => {
      kept.address = socket.remoteAddress === undefined ? undefined : canonicalAddress(socket.remoteAddress);
      if (!isChecked(kept)) socket.destroy(new ConnectFault("ADDRESS_NOT_CHECKED"));
    });
    socket.once("secureConnect", () => {
      clearTimeout(timer);
      socket.setNoDelay(true);
      kept.isOpen = true;
      tell(null, socket);
    });
    socket.once("close", () => {
      clearTimeout(timer);
      kept.isOpen = false;
      this.#count--;
      tell(new Error("closed"), socket);
    });
  }
}

/** Ends a connection that nobody waits for. What that fails of is nobody's concern, and must not end the process. */
export function discard(client: Client, error: Error | null = null): void {
  client.destroy(error).catch(() => undefined);
}

function isUsable(kept: Kept, origin: string, checked: ReadonlySet<string>): boolean {
  return kept.isOpen && kept.origin === origin && kept.address !== undefined && checked.has(kept.address);
}

function isChecked({ address, addresses }: Kept): boolean {
  return address !== undefined && addresses.has(address);
}

/**
 * Answers every look-up with the addresses that were checked, whatever the name means by now. Never in the turn of the
 * call: an address without a route fails at once, and would destroy a socket that nobody listens to yet.
 */
export function checkedOnly({ addresses }: Pick<Kept, "addresses">): LookupFunction {
  return (name, { all, family }, callback) => {
    // 4, 6 or, for either, 0; also written "IPv4" and "IPv6".
    const wanted = Number(String(family ?? 0).at(-1));
    const found = [...addresses]
      .map((address) => ({ address, family: isIP(address) }))
      .filter((one) => wanted === 0 || one.family === wanted);
    const [first] = found;
    process.nextTick(() => {
      if (first === undefined) callback(Object.assign(new Error(`no address of ${name}`), { code: "ENOTFOUND" }), []);
      else if (all) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
}
