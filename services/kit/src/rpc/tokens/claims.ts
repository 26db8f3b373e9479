// What a token of the mesh says: a JWT (EdDSA) of which process calls (`iss`) which service (`aud`), on behalf of which
// tenant, and until when. The claims that are ours:

import type { JWTPayload } from "jose";
import type { Tenant } from "../../tenant.ts";

/** A token is good for so long, */
export const lifetimeS = 120;
/** is made anew after this, so that one that leaves is good for long enough, */
export const reusedMs = 60_000;
/** and clocks of two machines may differ by so much. */
export const clockSkewS = 30;

/** What caches of tokens go by: tokens end by the clock on the wall. */
export const wallClock = { now: () => Date.now() };

export const algorithm = "EdDSA";

/** Who calls, and on whose behalf. */
export interface Caller {
  /** Name of the calling process in the mesh's table. */
  readonly name: string;
  /** Undefined when the call acts on no tenant, such as a look-up of a key. */
  readonly tenant: Tenant | undefined;
}

export function tenantClaims({ orgId, applicationId, userId, isApplicationImplied }: Tenant): JWTPayload {
  const claims = { org_id: orgId, application_id: applicationId, user_id: userId };
  return isApplicationImplied ? { ...claims, application_implied: true } : claims;
}

export function tenantOf(claims: JWTPayload): Tenant | undefined {
  const { org_id: orgId, application_id: applicationId, user_id: userId, application_implied } = claims;
  if (typeof orgId !== "string" || typeof applicationId !== "string" || typeof userId !== "string") return undefined;
  const tenant = { orgId, applicationId, userId };
  return application_implied === true ? { ...tenant, isApplicationImplied: true } : tenant;
}
