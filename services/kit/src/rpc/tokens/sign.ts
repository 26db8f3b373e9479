import type { KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import type { Tenant } from "../../tenant.ts";
import { algorithm, lifetimeS, reusedMs, tenantClaims, wallClock } from "./claims.ts";

/** The header of a call that proves who makes it, on behalf of whom. */
export type Authorize = (tenant: Tenant | undefined) => string | Promise<string>;

/** Tokens are kept for so many tenants and services: signing one costs as much as a whole call. */
const keptMax = 20_000;

/** Tokens of the process `name`; answers how to get those for a service. */
export function callerTokens(name: string, privateKey: KeyObject): (audience: string) => Authorize {
  const kept = new LRUCache<string, string, { audience: string; tenant: Tenant | undefined }>({
    max: keptMax,
    ttl: reusedMs,
    perf: wallClock,
    ttlResolution: 0,
    // A token that nobody waits for any more is of use to the next.
    ignoreFetchAbort: true,
    fetchMethod: (_key, _old, { context: { audience, tenant } }) => sign(name, privateKey, audience, tenant),
  });
  return (audience) => (tenant) => {
    const key = tenant === undefined ? audience : keyOf(audience, tenant);
    return kept.get(key) ?? kept.forceFetch(key, { context: { audience, tenant } });
  };
}

/** No part of it but the last may hold the separator: a user's id stands last. */
function keyOf(audience: string, { orgId, applicationId, userId, isApplicationImplied }: Tenant): string {
  return `${audience}\n${applicationId}\n${isApplicationImplied ?? ""}\n${orgId.length}\n${orgId}\n${userId}`;
}

async function sign(name: string, key: KeyObject, audience: string, tenant: Tenant | undefined): Promise<string> {
  const token = await new SignJWT(tenant && tenantClaims(tenant))
    .setProtectedHeader({ alg: algorithm })
    .setIssuer(name)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime(`${lifetimeS} s`)
    .sign(key);
  return `Bearer ${token}`;
}
