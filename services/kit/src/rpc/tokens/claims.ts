// Claims of the mesh's tokens: JWTs (EdDSA) with the calling process as `iss`, the called service as `aud`, and the tenant.

import type { JWTPayload } from "jose";
import type { Tenant } from "../../tenant.ts";
import type { PlatformCaller } from "../platform/callers.ts";

/** Lifetime of a token, in seconds. */
export const lifetimeS = 120;
/** Time for which tokens are reused, so that a sent token has enough lifetime left. */
export const reuseMs = 60_000;
export const clockSkewS = 30;

export const algorithm = "EdDSA";

export interface Caller {
  /** Name of the calling process in the mesh's table, or of the platform caller. */
  readonly name: string;
  /**
   * Undefined for calls without a tenant, such as a key look-up, and for platform callers, which send it in headers.
   */
  readonly tenant: Tenant | undefined;
  readonly platform?: PlatformCaller;
}

export function tenantClaims({ orgId, applicationId, userId, ...flags }: Tenant): JWTPayload {
  const claims = { org_id: orgId, application_id: applicationId, user_id: userId };
  return {
    ...claims,
    ...(flags.keyId !== undefined && { key_id: flags.keyId }),
    ...(flags.memberId !== undefined && { member_id: flags.memberId }),
    ...(flags.lackingScopes !== undefined && { lacking_scopes: flags.lackingScopes }),
    ...(flags.isApplicationImplied && { application_implied: true }),
    ...(flags.isBackground && { background: true }),
  };
}

const tenantClaimNames = [
  "org_id",
  "application_id",
  "user_id",
  "key_id",
  "member_id",
  "lacking_scopes",
  "application_implied",
  "background",
];

/** Returns true if the claims contain any part of a tenant. */
export function namesTenant(claims: JWTPayload): boolean {
  return tenantClaimNames.some((name) => Object.hasOwn(claims, name));
}

export function toTenant(claims: JWTPayload): Tenant | undefined {
  const {
    org_id: orgId,
    application_id: applicationId,
    user_id: userId,
    key_id: keyId,
    member_id: memberId,
    lacking_scopes: lackingScopes,
    application_implied,
    background,
  } = claims;
  if (typeof orgId !== "string" || typeof applicationId !== "string" || typeof userId !== "string") return undefined;
  return {
    orgId,
    applicationId,
    userId,
    ...(typeof keyId === "string" && { keyId }),
    ...(typeof memberId === "string" && { memberId }),
    ...(Array.isArray(lackingScopes) && { lackingScopes: lackingScopes.map(String) }),
    ...(application_implied === true && { isApplicationImplied: true as const }),
    ...(background === true && { isBackground: true as const }),
  };
}
