// DNS resolution by name servers alone, without hosts file and search list, so that check and connection use the same
// addresses.

import { promises as dns } from "node:dns";
import { canonicalAddress } from "./addresses.ts";

export interface ResolverOptions {
  /** `address` or `address:port`; the machine's own name servers if empty. */
  readonly servers: readonly string[];
  readonly timeoutMs: number;
}

export type Resolution =
  | { readonly kind: "found"; readonly addresses: readonly string[] }
  /** The name does not exist, or has no addresses. */
  | { readonly kind: "not_found" }
  | { readonly kind: "too_many" }
  /** The name servers did not respond, or responded with an error. This is an internal error. */
  | { readonly kind: "failed" };

/** Resolves a name; never throws. */
export type Resolve = (name: string) => Promise<Resolution>;

const answersMax = 16;
/** Codes for a name that does not exist, and for one without an address of that family. */
const noSuchName = "ENOTFOUND";
const noAddress = "ENODATA";

export function createResolve({ servers, timeoutMs }: ResolverOptions): Resolve {
  // One retry within the timeout, for lost packets.
  const options = { timeout: Math.max(1, Math.ceil(timeoutMs / 3)), tries: 2 };
  return async (name) => {
    let timer: NodeJS.Timeout | undefined;
    try {
      const resolver = new dns.Resolver(options);
      if (servers.length > 0) resolver.setServers(servers);
      // Open queries reject as cancelled.
      timer = setTimeout(() => resolver.cancel(), timeoutMs);
      return toResolution(
        await Promise.all([query(() => resolver.resolve4(name)), query(() => resolver.resolve6(name))]),
      );
    } catch {
      // Unusable name servers, or a result that is not an address.
      return { kind: "failed" };
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Queries addresses of one family; returns an error code if there are none. */
async function query(send: () => Promise<string[]>): Promise<string[] | string> {
  try {
    return await send();
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : "unknown";
  }
}

function toResolution(families: (string[] | string)[]): Resolution {
  const addresses = [...new Set(families.filter(Array.isArray).flat().map(canonicalAddress))];
  if (addresses.length > answersMax) return { kind: "too_many" };
  // One family is enough: many names have addresses of only one.
  if (addresses.length > 0) return { kind: "found", addresses };
  const isMissing = families.includes(noSuchName) || families.every((family) => family === noAddress);
  return { kind: isMissing ? "not_found" : "failed" };
}
