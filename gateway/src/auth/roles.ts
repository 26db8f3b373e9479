// What members may do: a role is a set of scopes, which are checked as those of API keys are (scopes.ts).

import { enumName } from "@ems/kit/enum";
import { rulesOf } from "@ems/kit/json/constraints";
import { CreateApiKeyRequestSchema } from "@ems/proto/identity/v1/api_key_service";
import { MemberRole, MemberRoleSchema } from "@ems/proto/identity/v1/member_service";

/** Reads whose answers hold secrets. */
const secretReads = ["webhook:read"];

/** What people who judge do. */
const reviewing = [
  "annotation:write",
  "calibration:write",
  "feedback:write",
  "human-annotation:write",
  "human-annotation-queue:write",
  "issue:write",
  "quickstart:write",
];

/** Who may sign in, what acts without a person, what costs money, and what cannot be undone. */
const ownersAlone = [
  "api-key:write",
  "application:write",
  "erasure:write",
  "evaluation-settings:write",
  "ingest-settings:write",
  "invitation:write",
  "member:write",
  "model-connection:write",
];

/** The contract lists the scopes, one by one beside `read`. */
export const everyScope: readonly string[] = scopesOfContract();
const reading = everyScope.filter((scope) => scope.endsWith(":read") && !secretReads.includes(scope));

const scopesOfRoles: Readonly<Record<MemberRole, readonly string[] | undefined>> = {
  [MemberRole.UNSPECIFIED]: undefined,
  [MemberRole.VIEWER]: reading,
  [MemberRole.REVIEWER]: [...reading, ...reviewing],
  [MemberRole.EDITOR]: everyScope.filter((scope) => !ownersAlone.includes(scope)),
  // As a key without scopes: everything.
  [MemberRole.OWNER]: [],
};

/** From the one that may least. */
export const rolesByRank = [MemberRole.VIEWER, MemberRole.REVIEWER, MemberRole.EDITOR, MemberRole.OWNER] as const;

/** Undefined for a role that only a newer version knows. */
export function scopesOf(role: MemberRole): readonly string[] | undefined {
  return scopesOfRoles[role];
}

/** `OWNER`, as the API's JSON has it. */
export function roleName(role: MemberRole): string {
  return enumName(MemberRoleSchema, role) ?? "";
}

function scopesOfContract(): string[] {
  const rules = rulesOf(CreateApiKeyRequestSchema.field.scopes, "items")?.type;
  return rules?.case === "string" ? rules.value.in.filter((scope) => scope.includes(":")) : [];
}
