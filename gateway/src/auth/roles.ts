// Permissions of members: a role is a set of scopes, which scopes.ts checks like those of API keys.

import { enumName } from "@ems/kit/enum";
import { getRules } from "@ems/kit/json/constraints";
import { CreateApiKeyRequestSchema } from "@ems/proto/identity/v1/api_key_service";
import { MemberRole, MemberRoleSchema } from "@ems/proto/identity/v1/member_service";

/** Reads whose responses contain secrets, or access to other systems. */
const secretReads = ["export-settings:read", "webhook:read"];

/** Changes allowed to reviewers. */
const reviewing = [
  "annotation:write",
  "calibration:write",
  "feedback:write",
  "human-annotation:write",
  "human-annotation-queue:write",
  "issue:write",
  "quickstart:write",
];

/** For owners only: access, unattended automation, costs and irreversible actions. */
const ownersAlone = [
  "api-key:write",
  "application:write",
  "catalog-transfer:write",
  "erasure:write",
  "evaluation-settings:write",
  "export-settings:read",
  "export-settings:write",
  "ingest-settings:write",
  "invitation:write",
  "member:write",
  "model-connection:write",
  "model-price:write",
  "result-transfer:write",
  "trace-deletion:write",
  "trace-transfer:write",
];

/** All scopes of the contract except `read`, which stands for all reads. */
export const everyScope: readonly string[] = scopesOfContract();
const reading = everyScope.filter((scope) => scope.endsWith(":read") && !secretReads.includes(scope));

const scopesOfRoles: Readonly<Record<MemberRole, readonly string[] | undefined>> = {
  [MemberRole.UNSPECIFIED]: undefined,
  [MemberRole.VIEWER]: reading,
  [MemberRole.REVIEWER]: [...reading, ...reviewing],
  [MemberRole.EDITOR]: everyScope.filter((scope) => !ownersAlone.includes(scope)),
  // Empty means all scopes, as for an API key without scopes.
  [MemberRole.OWNER]: [],
};

/** Roles from the least to the most powerful. */
export const rolesByRank = [MemberRole.VIEWER, MemberRole.REVIEWER, MemberRole.EDITOR, MemberRole.OWNER] as const;

/** Returns the role's scopes; undefined for a role that only a newer version defines. */
export function getScopes(role: MemberRole): readonly string[] | undefined {
  return scopesOfRoles[role];
}

/** Returns the role's name in JSON, such as `OWNER`. */
export function roleName(role: MemberRole): string {
  return enumName(MemberRoleSchema, role) ?? "";
}

function scopesOfContract(): string[] {
  const rules = getRules(CreateApiKeyRequestSchema.field.scopes, "items")?.type;
  return rules?.case === "string" ? rules.value.in.filter((scope) => scope.includes(":")) : [];
}
