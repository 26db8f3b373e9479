import { rowById } from "@ems/kit/db/row-by-id";
import type { Transaction } from "@ems/kit/db/transaction";
import { failure } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import { MemberEntity, type MemberRow } from "./entity.ts";
import { memberColumns, memberTables, type NamedMemberRow } from "./messages.ts";

export const memberById = rowById<MemberRow, NamedMemberRow>(MemberEntity, "Member", {
  columns: memberColumns,
  from: memberTables,
});

/** Locks the application and returns the member. The lock serializes changes, so that at least one owner remains. */
export async function lockMember(tx: Transaction, call: Call, id: string): Promise<NamedMemberRow> {
  const { orgId, applicationId } = call.tenant;
  tx.defer("SELECT FROM identity.application WHERE org_id = $1 AND id = $2 FOR NO KEY UPDATE", [orgId, applicationId]);
  return memberById.only(await tx.query(memberById.statement(call, id)));
}

export async function assertNotLastOwner(tx: Transaction, { applicationId }: { applicationId: string }): Promise<void> {
  if ((await tx.count(MemberEntity, { applicationId, role: "OWNER" })) > 1) return;
  throw failure("STATE_CONFLICT", "This is the last owner: make another member an owner first");
}
