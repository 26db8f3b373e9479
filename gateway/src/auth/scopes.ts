// Permission check of API keys and members, for every RPC on every port. The contract decides: an RPC belongs to the
// group of its service and is a read if it declares NO_SIDE_EFFECTS. ems.identity.v1.CreateApiKeyRequest lists the
// scopes.

import { type DescMethod, type DescService, getOption, hasOption } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { failure } from "@ems/kit/errors";
import type { CreateApiKeyRequest } from "@ems/proto/identity/v1/api_key_service";
import type { MemberRole } from "@ems/proto/identity/v1/member_service";
import { optional_scopes } from "@ems/proto/rest/v1/rest";
import { isReadOnly } from "../rest/routes.ts";
import type { Principal } from "./principal.ts";
import { everyScope, getScopes, roleName, rolesByRank } from "./roles.ts";

type Limits = Pick<Principal, "scopes" | "expiresMs" | "role">;

/** Allows nothing; an empty list would allow everything. */
const none = [""];

/** Scope of every read-only operation. */
const readAll = "read";

/** Returns the narrowest scope that allows the RPC. */
export function getScope(method: DescMethod): string {
  return `${getGroup(method.parent)}:${isReadOnly({ method }) ? "read" : "write"}`;
}

/** Returns the group of a service: `model-connection` for `ModelConnectionService`. */
function getGroup({ name }: DescService): string {
  return name
    .replace(/Service$/, "")
    .replaceAll(/\B[A-Z]/g, "-$&")
    .toLowerCase();
}

/** Throws unless the key or the member may call the RPC. */
export function checkScope({ scopes, role }: Limits, method: DescMethod): void {
  if (scopes.length === 0) return;
  const scope = getScope(method);
  if (!allows(scopes, scope)) throw scopeMissing(scope, role);
}

/** Returns the principal with the optional scopes of the RPC that it lacks. */
export function withLackingScopes(owner: Principal, method: DescMethod): Principal {
  const { scopes } = owner;
  if (scopes.length === 0 || !hasOption(method, optional_scopes)) return owner;
  const lackingScopes = getOption(method, optional_scopes).filter((scope) => !allows(scopes, scope));
  return lackingScopes.length === 0 ? owner : { ...owner, lackingScopes };
}

/** Lists all scopes that the key or the member has. */
export function grantedScopes({ scopes }: Pick<Limits, "scopes">): string[] {
  return everyScope.filter((scope) => allows(scopes, scope));
}

/** Lists the names of the roles that have the scope. */
export function rolesWith(scope: string): string[] {
  const hasIt = (role: MemberRole) => grantedScopes({ scopes: getScopes(role) ?? none }).includes(scope);
  return rolesByRank.filter(hasIt).map(roleName);
}

/** Prevents privilege escalation: throws unless the caller has every scope of the role, by a key without expiry. */
export function checkRoleGrant({ scopes, expiresMs, role: own }: Limits, role: MemberRole): void {
  const granted = getScopes(role);
  // Request validation rejects an unknown role.
  if (granted === undefined) return;
  if (scopes.length > 0) {
    const missing =
      granted.length === 0 ? "* (all scopes, which only owners have)" : granted.find((scope) => !allows(scopes, scope));
    if (missing !== undefined) throw scopeMissing(missing, own);
  }
  if (expiresMs !== undefined) throw failure("SCOPE_MISSING", "An API key with an expiry cannot grant roles");
}

/** Throws unless the new key has no more scopes and no later expiry than the caller's key. */
export function checkGrant({ scopes, expiresMs }: Limits, request: CreateApiKeyRequest): void {
  if (scopes.length > 0) {
    if (request.scopes.length === 0) throw scopeMissing("* (all scopes, needed to create a key without scopes)");
    const missing = request.scopes.find((scope) => !allows(scopes, scope));
    if (missing !== undefined) throw scopeMissing(missing);
  }
  const endMs = request.expiresAt === undefined ? Number.POSITIVE_INFINITY : timestampMs(request.expiresAt);
  if (endMs > (expiresMs ?? Number.POSITIVE_INFINITY))
    throw failure(
      "SCOPE_MISSING",
      "An API key with an expiry can only create keys that expire no later; set `expiresAt`",
    );
}

/** True if `scopes` include `scope`: no scopes allow everything, and a group's `write` includes its `read`. */
function allows(scopes: readonly string[], scope: string): boolean {
  if (scopes.length === 0 || scopes.includes(scope)) return true;
  const [group, kind] = scope.split(":");
  return kind === "read" && (scopes.includes(readAll) || scopes.includes(`${group}:write`));
}

function scopeMissing(scope: string, role?: MemberRole) {
  const who = role === undefined ? "The API key" : `Your role, ${roleName(role).toLowerCase()},`;
  return failure("SCOPE_MISSING", `${who} lacks the scope ${scope}`, { metadata: { scope } });
}
