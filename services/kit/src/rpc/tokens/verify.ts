import type { KeyObject } from "node:crypto";
import { decodeJwt, errors, jwtVerify } from "jose";
import { LRUCache } from "lru-cache";
import { forbidden } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import { algorithm, type Caller, clockSkewS, lifetimeS, tenantOf, wallClock } from "./claims.ts";
import type { PublicKeys } from "./keys.ts";

/** The caller, by the `authorization` header. Throws, or rejects, when it is not valid. */
export type Authenticate = (authorization: string | undefined) => Caller | Promise<Caller>;

/** No valid token is longer, in characters; it bounds the cache. */
const tokenMax = 4_096;
/** Cached verified tokens: verifying one costs as much as a whole call. */
const cacheMax = 20_000;

export interface AuthenticatorOptions {
  /** The service that is called. */
  readonly audience: string;
  /** Processes that may call it. */
  readonly callers: readonly string[];
  readonly publicKeys: PublicKeys;
  readonly log: Logger;
}

export function authenticator({ audience, callers, publicKeys, log }: AuthenticatorOptions): Authenticate {
  const cache = new LRUCache<string, Caller>({
    max: cacheMax,
    ttl: lifetimeS * 1000,
    perf: wallClock,
    ttlResolution: 0,
    ignoreFetchAbort: true,
    fetchMethod: async (authorization, _old, { options }) => {
      const token = /^Bearer (\S+)$/i.exec(authorization)?.[1];
      if (token === undefined) throw refused("no token", "unknown");
      const name = issuerOf(token);
      if (name === undefined || !callers.includes(name)) throw refused("no caller of this service", "unknown");
      const { caller, remainingMs } = await verified(token, name, publicKeys.get(name) ?? [], audience).catch(
        (error) => {
          throw refused(error instanceof errors.JOSEError ? error.code : String(error), name);
        },
      );
      options.ttl = remainingMs;
      return caller;
    },
  });
  const refused = (reason: string, caller: string) => {
    log.warn({ caller, reason }, "caller refused");
    return forbidden("CALLER_FORBIDDEN", "This caller may not call this service");
  };
  return (authorization) => {
    if (authorization === undefined || authorization.length > tokenMax) throw refused("no token", "unknown");
    return cache.get(authorization) ?? cache.forceFetch(authorization);
  };
}

/** The token's issuer, not yet verified. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

/** The caller, by the first of its keys that verifies the token, and the remaining lifetime. */
async function verified(token: string, name: string, keys: readonly KeyObject[], audience: string) {
  let failure: unknown = new errors.JWKSNoMatchingKey();
  for (const key of keys) {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [algorithm],
        issuer: name,
        audience,
        requiredClaims: ["exp"],
        maxTokenAge: lifetimeS,
        clockTolerance: clockSkewS,
      });
      const endS = Math.min(payload.exp ?? 0, (payload.iat ?? 0) + lifetimeS) + clockSkewS;
      const remainingMs = Math.max(1, endS * 1000 - Date.now());
      return { caller: { name, tenant: tenantOf(payload) } satisfies Caller, remainingMs };
    } catch (error) {
      failure = error;
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) break;
    }
  }
  throw failure;
}
