// What an API key may do: for every RPC of every door, decided here by the contract. An RPC belongs to the group of its service;
// it is a read if it says NO_SIDE_EFFECTS. ems.identity.v1.CreateApiKeyRequest lists the scopes.

import type { DescMethod, DescService } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { failure } from "@ems/kit/errors";
import type { CreateApiKeyRequest } from "@ems/proto/identity/v1/api_key_service";
import { isReadOnly } from "../rest/routes.ts";
import type { KeyOwner } from "./key-owners.ts";

type Limits = Pick<KeyOwner, "scopes" | "expiresMs">;

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

/** Throws unless the key may call the RPC. */
export function checkScope({ scopes }: Limits, method: DescMethod): void {
  if (scopes.length === 0) return;
  const scope = scopeOf(method);
  if (!allows(scopes, scope)) throw scopeMissing(scope);
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

/** A group's `write` includes its `read`. */
function allows(scopes: readonly string[], scope: string): boolean {
  if (scopes.includes(scope)) return true;
  const [group, kind] = scope.split(":");
  return kind === "read" && (scopes.includes(readAll) || scopes.includes(`${group}:write`));
}

function scopeMissing(scope: string) {
  return failure("SCOPE_MISSING", `The API key lacks the scope ${scope}`, { metadata: { scope } });
}
