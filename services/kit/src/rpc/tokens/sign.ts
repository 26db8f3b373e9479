import type { KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import { type Clock, monotonic, systemClock } from "../../clock.ts";
import { entriesAtMost } from "../../limits/cache-entries.ts";
import type { Tenant } from "../../tenant.ts";
import { algorithm, lifetimeS, reuseMs, tenantClaims } from "./claims.ts";

/**
 * Creates the `authorization` header of a call; never returns `refused`, which the service rejected because of its
 * time.
 */
export type Authorize = (tenant: Tenant | undefined, refused?: string) => string | Promise<string>;

/** Maximum cached tokens, by tenant and service: signing one costs as much as a whole call. */
const cacheMax = 20_000;

/** Creates tokens of the process `name`, by called service. */
export function callerTokens(
  name: string,
  privateKey: KeyObject,
  clock: Clock = systemClock,
): (audience: string) => Authorize {
  const cache = new LRUCache<string, string, { audience: string; tenant: Tenant | undefined }>({
    ...entriesAtMost(cacheMax),
    ttl: reuseMs,
    // Use monotonic time: by the wall clock, a token signed while it was ahead would stay cached too long.
    perf: monotonic,
    ttlResolution: 0,
    // Finish creating the token even if its call is cancelled: the next call can use the token.
    ignoreFetchAbort: true,
    fetchMethod: (_key, _old, { context: { audience, tenant } }) => sign(name, privateKey, audience, tenant, clock),
  });
  return (audience) => (tenant, refused) => {
    const key = tenant === undefined ? audience : buildKey(audience, tenant);
    // Removes only the refused token: concurrent refused calls share its replacement.
    if (refused !== undefined && cache.peek(key) === refused) cache.delete(key);
    return cache.get(key) ?? cache.forceFetch(key, { context: { audience, tenant } });
  };
}

/** Only the last part may contain the separator, so the user's id is last. */
function buildKey(
  audience: string,
  { orgId, applicationId, userId, keyId, memberId, lackingScopes, isApplicationImplied, isBackground }: Tenant,
): string {
  const flags = [keyId, memberId, lackingScopes?.join(" "), isApplicationImplied, isBackground];
  const written = flags.map((flag) => `${flag ?? ""}\n`).join("");
  return `${audience}\n${applicationId}\n${written}${orgId.length}\n${orgId}\n${userId}`;
}

async function sign(
  name: string,
  key: KeyObject,
  audience: string,
  tenant: Tenant | undefined,
  clock: Clock,
): Promise<string> {
  const issuedS = Math.floor(clock.now().getTime() / 1_000);
  const token = await new SignJWT(tenant && tenantClaims(tenant))
    .setProtectedHeader({ alg: algorithm })
    .setIssuer(name)
    .setAudience(audience)
    .setIssuedAt(issuedS)
    .setExpirationTime(issuedS + lifetimeS)
    .sign(key);
  return `Bearer ${token}`;
}

/** Creates a platform caller's token, without a tenant. */
export function platformToken(
  name: string,
  key: KeyObject,
  audience: readonly string[],
  expiresInS: number,
): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: algorithm })
    .setIssuer(name)
    .setAudience([...audience])
    .setIssuedAt()
    .setExpirationTime(`${expiresInS} s`)
    .sign(key);
}
