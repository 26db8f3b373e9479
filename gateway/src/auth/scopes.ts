// What an API key or a member may do: for every RPC of every door, decided here by the contract. An RPC belongs to the group of its service;
// it is a read if it says NO_SIDE_EFFECTS. ems.identity.v1.CreateApiKeyRequest lists the scopes.

import type { DescMethod, DescService } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { failure } from "@ems/kit/errors";
import type { CreateApiKeyRequest } from "@ems/proto/identity/v1/api_key_service";
import type { MemberRole } from "@ems/proto/identity/v1/member_service";
import { isReadOnly } from "../rest/routes.ts";
import type { Principal } from "./principal.ts";
import { everyScope, roleName, rolesByRank, scopesOf } from "./roles.ts";

type Limits = Pick<Principal, "scopes" | "expiresMs" | "role">;

/** Allows nothing, unlike no scopes. */
const none = [""];

/** Every operation that only reads. */
const readAll = "read";

/** The scope that an RPC needs, the narrowest one that allows it. */
export function scopeOf(method: DescMethod): string {
  return `${groupOf(method.parent)}:${isReadOnly({ method }) ? "read" : "write"}`;
}

/** `ModelConnectionService` has the group `model-connection`. */
function groupOf({ name }: DescService): string {
  return name
    .replace(/Service$/, "")
    .replaceAll(/\B[A-Z]/g, "-$&")
    .toLowerCase();
}

/** Throws unless the key or the member may call the RPC. */
export function checkScope({ scopes, role }: Limits, method: DescMethod): void {
  if (scopes.length === 0) return;
  const scope = scopeOf(method);
  if (!allows(scopes, scope)) throw scopeMissing(scope, role);
}

/** All that the key or the member has, one by one. */
export function grantedScopes({ scopes }: Pick<Limits, "scopes">): string[] {
  return everyScope.filter((scope) => allows(scopes, scope));
}

/** Names of the roles that have the scope. */
export function rolesWith(scope: string): string[] {
  const hasIt = (role: MemberRole) => grantedScopes({ scopes: scopesOf(role) ?? none }).includes(scope);
  return rolesByRank.filter(hasIt).map(roleName);
}

/** Throws unless the caller may give somebody the role: a key all that the role may, for as long as a member stays. */
export function checkRoleGrant({ scopes, expiresMs, role: own }: Limits, role: MemberRole): void {
  const granted = scopesOf(role);
  // The rules of the request refuse it.
  if (granted === undefined) return;
  if (scopes.length > 0) {
    const missing = granted.length === 0 ? "all of them, as an owner has" : granted.find((one) => !allows(scopes, one));
    if (missing !== undefined) throw scopeMissing(missing, own);
  }
  if (expiresMs !== undefined)
    throw failure("SCOPE_MISSING", "The API key expires, and can give nobody a role, which does not");
}

/** Throws unless the key may create this one: it may do no more and lasts no longer than the key itself. */
export function checkGrant({ scopes, expiresMs }: Limits, request: CreateApiKeyRequest): void {
  if (scopes.length > 0) {
    if (request.scopes.length === 0) throw scopeMissing("all of them, as a key without scopes has");
    const missing = request.scopes.find((scope) => !allows(scopes, scope));
    if (missing !== undefined) throw scopeMissing(missing);
  }
  const endMs = request.expiresAt === undefined ? Number.POSITIVE_INFINITY : timestampMs(request.expiresAt);
  if (endMs > (expiresMs ?? Number.POSITIVE_INFINITY))
    throw failure("SCOPE_MISSING", "The API key expires, and can create keys only that expire no later");
}

/** Without scopes, everything; a group's `write` includes its `read`. */
function allows(scopes: readonly string[], scope: string): boolean {
  if (scopes.length === 0 || scopes.includes(scope)) return true;
  const [group, kind] = scope.split(":");
  return kind === "read" && (scopes.includes(readAll) || scopes.includes(`${group}:write`));
}

function scopeMissing(scope: string, role?: MemberRole) {
  const who = role === undefined ? "The API key" : `Your role, ${roleName(role).toLowerCase()},`;
  return failure("SCOPE_MISSING", `${who} lacks the scope ${scope}`, { metadata: { scope } });
}
