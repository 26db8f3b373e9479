// Names that products under test can resolve. Receivers' names resolve to this machine: nothing is sent elsewhere.

import { startDnsServer } from "@ems/test-support/dns-server";

/** A valid webhook URL without a listener. */
export const nowhere = "https://receiver.example.com:65535/events";
/** A forbidden name, which resolves to a private address. */
export const privateUrl = "https://private.example.com/events";
/** A URL that the name servers fail to resolve. */
export const unresolvedUrl = "https://down.example.com/events";

/** An endpoint of storage for exports, without a listener. */
export const storageEndpoint = "https://storage.example.com";

export interface Names {
  /** Settings with which a product resolves these names, and may send to this machine. */
  readonly env: Record<string, string>;
  close(): Promise<void>;
}

export async function startNames(): Promise<Names> {
  const server = await startDnsServer();
  server.set("receiver.example.com", ["127.0.0.1"]);
  server.set("storage.example.com", ["127.0.0.1"]);
  server.set("private.example.com", ["10.1.2.3"]);
  server.set("down.example.com", "SERVFAIL");
  return {
    env: { DNS_SERVERS: server.address, WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8", EXPORT_ALLOW_CIDRS: "127.0.0.0/8" },
    close: () => server.close(),
  };
}
