import type { Transaction } from "@ems/kit/db/transaction";
import type { Deps } from "../deps.ts";
import { findOrCreateSignInUser, logAs, type NamedPerson } from "./sign-in-user.ts";

const applications = `SELECT id FROM identity.application WHERE org_id = $1 ORDER BY created_at, id`;

const insert = `INSERT INTO identity.member (application_id, id, org_id, user_id, role, created_at, modified_at)
  VALUES ($1, $2, $3, $4, 'OWNER', $5, $5)
  ON CONFLICT ON CONSTRAINT member_user_key DO UPDATE SET role = 'OWNER', modified_at = excluded.modified_at
  WHERE member.role <> 'OWNER'`;

/** Makes the person an owner of every application in the first organization, as configured by the operator. */
export async function nameOwner(
  deps: Pick<Deps, "clock" | "newId">,
  tx: Transaction,
  person: NamedPerson,
  requestId: string,
): Promise<void> {
  const [first] = await tx.query<{ id: string | null }>("SELECT identity.first_organisation() AS id");
  const orgId = first?.id;
  if (orgId === undefined || orgId === null) return;
  tx.defer("SELECT set_config('ems.org_id', $1, true)", [orgId]);
  const userId = await findOrCreateSignInUser(deps, tx, orgId, person);
  const rows = await tx.query<{ id: string }>(applications, [orgId]);
  logAs(tx, userId, requestId);
  for (const { id: applicationId } of rows) {
    tx.defer("SELECT set_config('ems.application_id', $1, true)", [applicationId]);
    tx.defer(insert, [applicationId, deps.newId(), orgId, userId, deps.clock.now()]);
  }
}
