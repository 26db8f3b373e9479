// Connections to addresses that were just checked, and to no others: check and connection use the same DNS results.

import { readFileSync } from "node:fs";
import { isIP, type LookupFunction, connect as plainConnect, type Socket, type TcpSocketConnectOpts } from "node:net";
import { createSecureContext, getCACertificates, type SecureContext, connect as secureConnect } from "node:tls";
import { canonicalAddress } from "./addresses.ts";

/** Error for a connection that took too long, or led to an unchecked address. */
export class ConnectFailure extends Error {
  override name = "ConnectFailure";
  readonly code: "CONNECT_TIMEOUT" | "ADDRESS_NOT_CHECKED";

  constructor(code: ConnectFailure["code"]) {
    super(code);
    this.code = code;
  }
}

export interface ConnectOptions {
  /** The URL's host, without brackets. */
  readonly host: string;
  readonly port: number;
  /** Checked addresses in canonical notation; called when the socket connects. */
  readonly addresses: () => ReadonlySet<string>;
  /** Trusted authorities and TLS version; undefined without TLS. */
  readonly secureContext: SecureContext | undefined;
  readonly timeoutMs: number;
  /** Called with the remote address before anything is sent. */
  readonly onAddress?: (address: string | undefined) => void;
}

/** Happy Eyeballs: delay before the next address is tried in parallel. */
const nextAddressMs = 1_000;

/**
 * Calls back on the connection and on every failure, but only after the socket has all its listeners. Certificates are
 * verified.
 */
export function connectChecked(
  options: ConnectOptions,
  callback: (error: Error | null, socket: Socket) => void,
): Socket {
  const { host, port, addresses, secureContext, timeoutMs, onAddress } = options;
  const tcp: TcpSocketConnectOpts = {
    host,
    port,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressMs,
    lookup: pinnedLookup(addresses),
  };
  const socket =
    secureContext === undefined
      ? plainConnect(tcp)
      : secureConnect({
          ...tcp,
          // SNI is for names; a certificate for an address is compared with the address.
          ...(isIP(host) === 0 && { servername: host }),
          secureContext,
          rejectUnauthorized: true,
          ALPNProtocols: ["http/1.1"],
        });
  socket.on("error", (error) => callback(error, socket));
  const timer = setTimeout(() => socket.destroy(new ConnectFailure("CONNECT_TIMEOUT")), timeoutMs);
  socket.once("connect", () => {
    const address = socket.remoteAddress === undefined ? undefined : canonicalAddress(socket.remoteAddress);
    onAddress?.(address);
    if (address === undefined || !addresses().has(address)) socket.destroy(new ConnectFailure("ADDRESS_NOT_CHECKED"));
  });
  socket.once(secureContext === undefined ? "connect" : "secureConnect", () => {
    clearTimeout(timer);
    if (socket.destroyed) return;
    socket.setNoDelay(true);
    callback(null, socket);
  });
  socket.once("close", () => {
    clearTimeout(timer);
    callback(new Error("closed"), socket);
  });
  return socket;
}

/**
 * DNS pinning: resolves every lookup to the checked addresses. Calls back in a later tick: an address without a route
 * fails at once, and would destroy a socket that has no listeners yet.
 */
export function pinnedLookup(addresses: () => ReadonlySet<string>): LookupFunction {
  return (name, { all, family }, callback) => {
    // The requested IP version: 4, 6, or 0 for either. Some callers pass "IPv4" or "IPv6".
    const requested = Number(String(family ?? 0).at(-1));
    const found = [...addresses()]
      .map((address) => ({ address, family: isIP(address) }))
      .filter((candidate) => requested === 0 || candidate.family === requested);
    const [first] = found;
    process.nextTick(() => {
      if (first === undefined) callback(Object.assign(new Error(`no address of ${name}`), { code: "ENOTFOUND" }), []);
      else if (all) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
}

/** Trusts the system's authorities and those in the operator's file; requires TLS 1.2 or newer. */
export function tlsContext(caFile: string | undefined): SecureContext {
  const minVersion = "TLSv1.2";
  if (caFile === undefined) return createSecureContext({ minVersion });
  return createSecureContext({ minVersion, ca: [...getCACertificates("default"), readFileSync(caFile, "utf8")] });
}
