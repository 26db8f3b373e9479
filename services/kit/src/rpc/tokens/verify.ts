import type { KeyObject } from "node:crypto";
import { decodeJwt, errors, type JWTPayload, jwtVerify } from "jose";
import { LRUCache } from "lru-cache";
import { type Clock, monotonic, systemClock } from "../../clock.ts";
import { type ConnectError, failure } from "../../errors.ts";
import { entriesAtMost } from "../../limits/cache-entries.ts";
import type { Logger } from "../../log.ts";
import { countRefusedToken } from "../../telemetry/platform-callers.ts";
import { refusedTimeHeader } from "../grpc-metadata.ts";
import type { PlatformCaller, PlatformCallers } from "../platform/callers.ts";
import { algorithm, type Caller, clockSkewS, lifetimeS, namesTenant, toTenant } from "./claims.ts";
import type { PublicKeys } from "./keys.ts";
import { notVerified, tokenInvalid, tokenMissing, toRefused } from "./refused.ts";

/** Authenticates the caller by the `authorization` header. Throws, or rejects, if it is invalid. */
export type Authenticate = (authorization: string | undefined) => Caller | Promise<Caller>;

/** Maximum characters of a token; limits the cache. */
const tokenMax = 4_096;
/** Maximum cached verified tokens: verifying one costs as much as a whole call. */
const cacheMax = 20_000;

export interface AuthenticatorOptions {
  /** Name of the called service. */
  readonly audience: string;
  /** Processes that may call the service. */
  readonly callers: readonly string[];
  readonly publicKeys: PublicKeys;
  readonly platform?: PlatformCallers;
  readonly log: Logger;
  readonly clock?: Clock;
}

export function authenticator(options: AuthenticatorOptions): Authenticate {
  const {
    audience,
    callers,
    publicKeys,
    platform = new Map<string, PlatformCaller>(),
    log,
    clock = systemClock,
  } = options;
  const verify = (token: string, name: string) => {
    const platformCaller = platform.get(name);
    if (platformCaller !== undefined) return verifiedPlatform(token, platformCaller, audience, clock.now());
    if (callers.includes(name)) return verifiedProcess(token, name, publicKeys.get(name) ?? [], audience, clock.now());
    throw notVerified("no caller of this service");
  };
  const refuse = (error: unknown, name: string | undefined): ConnectError => {
    const refused = toRefused(error, audience);
    // An unverified name is logged only if it is a caller's.
    const caller = name !== undefined && (platform.has(name) || publicKeys.has(name)) ? name : "unknown";
    log.warn({ caller, reason: refused.logged }, "caller refused");
    countRefusedToken({ reason: refused.reason });
    return failure(
      refused.reason,
      refused.message,
      refused.isForTime ? { headers: { [refusedTimeHeader]: "true" } } : {},
    );
  };
  const cache = new LRUCache<string, Caller>({
    ...entriesAtMost(cacheMax),
    ttl: lifetimeS * 1000,
    perf: monotonic,
    ttlResolution: 0,
    ignoreFetchAbort: true,
    fetchMethod: async (authorization, _old, { options: cached }) => {
      const token = /^Bearer (\S+)$/i.exec(authorization)?.[1];
      if (token === undefined) throw refuse(tokenMissing(), undefined);
      const name = readIssuer(token);
      try {
        const { caller, endS } = await verify(token, name ?? "");
        cached.ttl = Math.max(1, (endS + clockSkewS) * 1000 - clock.now().getTime());
        return caller;
      } catch (error) {
        throw refuse(error, name);
      }
    },
  });
  return (authorization) => {
    if (authorization === undefined) throw refuse(tokenMissing(), undefined);
    if (authorization.length > tokenMax) {
      throw refuse(tokenInvalid(`The token is longer than ${tokenMax} characters`), undefined);
    }
    return cache.get(authorization) ?? cache.forceFetch(authorization);
  };
}

/** Reads the token's issuer, which is not verified yet. */
function readIssuer(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

interface Verified {
  readonly caller: Caller;
  /** Expiry of the token, in seconds. */
  readonly endS: number;
}

async function verifiedProcess(
  token: string,
  name: string,
  keys: readonly KeyObject[],
  audience: string,
  now: Date,
): Promise<Verified> {
  const payload = await readPayload(token, name, keys, audience, now, lifetimeS);
  const endS = Math.min(payload.exp ?? 0, (payload.iat ?? 0) + lifetimeS);
  return { caller: { name, tenant: toTenant(payload) }, endS };
}

async function verifiedPlatform(
  token: string,
  platform: PlatformCaller,
  audience: string,
  now: Date,
): Promise<Verified> {
  const { name, keys, tokenMinutesMax } = platform;
  const payload = await readPayload(token, name, keys, audience, now);
  const { iat: issuedS = 0, exp: endS = 0 } = payload;
  if (endS - issuedS > tokenMinutesMax * 60) {
    throw tokenInvalid(`The token's lifetime is longer than ${tokenMinutesMax} minutes`);
  }
  if (issuedS > now.getTime() / 1000 + clockSkewS) {
    throw tokenInvalid("The token was issued in the future: check the clocks");
  }
  // Services ignore tenant claims of platform callers, since they cannot verify them.
  if (namesTenant(payload)) {
    throw tokenInvalid("The token must not have claims of a tenant: send it in headers of the call");
  }
  return { caller: { name, tenant: undefined, platform }, endS };
}

/** Reads the token's claims, using the first of the keys that verifies it. */
async function readPayload(
  token: string,
  issuer: string,
  keys: readonly KeyObject[],
  audience: string,
  currentDate: Date,
  maxTokenAge?: number,
): Promise<JWTPayload> {
  const [algorithms, requiredClaims, clockTolerance] = [[algorithm], ["exp", "iat"], clockSkewS];
  const age = maxTokenAge === undefined ? {} : { maxTokenAge };
  let failed: unknown = new errors.JWKSNoMatchingKey();
  for (const key of keys) {
    try {
      const options = { algorithms, issuer, audience, requiredClaims, clockTolerance, currentDate, ...age };
      return (await jwtVerify(token, key, options)).payload;
    } catch (error) {
      failed = error;
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) break;
    }
  }
  throw failed;
}
