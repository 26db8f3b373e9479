// Names to addresses, by name servers and nothing else: no hosts file, no search list, no other way in which a name could
// mean one thing when it is checked and another when it is used.

import { promises as dns } from "node:dns";
import { canonicalAddress } from "./addresses.ts";

export interface ResolverOptions {
  /** `address` or `address:port`; the machine's own name servers when empty. */
  readonly servers: readonly string[];
  readonly timeoutMs: number;
}

export type Resolution =
  | { readonly kind: "found"; readonly addresses: readonly string[] }
  /** The name does not exist, or has no addresses: the same to whoever wants to connect. */
  | { readonly kind: "not_found" }
  /** More addresses than anybody needs. */
  | { readonly kind: "too_many" }
  /** The name servers did not answer, or could not: nobody knows. Ours to mend. */
  | { readonly kind: "failed" };

/** Asks for the addresses of a name; never throws. */
export type Resolve = (name: string) => Promise<Resolution>;

const answersMax = 16;
/** What a name server says of a name that is not there, or has no address of that family. */
const noSuchName = "ENOTFOUND";
const noAddress = "ENODATA";

export function createResolve({ servers, timeoutMs }: ResolverOptions): Resolve {
  // Asked again within the time that there is, since packets get lost.
  const options = { timeout: Math.max(1, Math.ceil(timeoutMs / 3)), tries: 2 };
  return async (name) => {
    let timer: NodeJS.Timeout | undefined;
    try {
      const resolver = new dns.Resolver(options);
      if (servers.length > 0) resolver.setServers(servers);
      // Whatever was not answered by then is told as cancelled.
      timer = setTimeout(() => resolver.cancel(), timeoutMs);
      return judge(await Promise.all([ask(() => resolver.resolve4(name)), ask(() => resolver.resolve6(name))]));
    } catch {
      // Name servers that cannot be used, or an answer that is no address.
      return { kind: "failed" };
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Addresses of one family, or the code of why there are none. */
async function ask(query: () => Promise<string[]>): Promise<string[] | string> {
  try {
    return await query();
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : "unknown";
  }
}

function judge(families: (string[] | string)[]): Resolution {
  const addresses = [...new Set(families.filter(Array.isArray).flat().map(canonicalAddress))];
  if (addresses.length > answersMax) return { kind: "too_many" };
  // Name servers that know nothing of one family are common: the other one is enough.
  if (addresses.length > 0) return { kind: "found", addresses };
  const isMissing = families.includes(noSuchName) || families.every((family) => family === noAddress);
  return { kind: isMissing ? "not_found" : "failed" };
}
