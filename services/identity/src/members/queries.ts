import type { Transaction } from "@ems/kit/db/transaction";
import { failure, notFound } from "@ems/kit/errors";
import type { Tenant } from "@ems/kit/tenant";
import { MemberEntity } from "./entity.ts";
import { memberColumns, memberTables, type NamedMemberRow } from "./messages.ts";

const text = `SELECT ${memberColumns} FROM ${memberTables} WHERE member.application_id = $1 AND member.id = $2`;

/** The member. The application's lock serialises changes, so that one owner is left whoever changes two at once. */
export async function lockMember(
  tx: Transaction,
  { orgId, applicationId }: Tenant,
  id: string,
): Promise<NamedMemberRow> {
  tx.defer("SELECT FROM identity.application WHERE org_id = $1 AND id = $2 FOR NO KEY UPDATE", [orgId, applicationId]);
  const [row] = await tx.query<NamedMemberRow>({ name: "get-member", text, values: [applicationId, id] });
  if (row === undefined) throw notFound("Member");
  return row;
}

export async function assertNotLastOwner(tx: Transaction, { applicationId }: { applicationId: string }): Promise<void> {
  if ((await tx.count(MemberEntity, { applicationId, role: "OWNER" })) > 1) return;
  throw failure("STATE_CONFLICT", "This is the last owner: make another member an owner first");
}
