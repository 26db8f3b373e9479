import type { Transaction } from "@ems/kit/db/transaction";
import type { Deps } from "../deps.ts";
import { MemberEntity } from "./entity.ts";

/** Copies the owners of one application to another, and sets the transaction's scope to the other application. */
export async function copyOwners(
  { clock, newId }: Pick<Deps, "clock" | "newId">,
  tx: Transaction,
  from: string,
  applicationId: string,
): Promise<void> {
  const owners = await tx.find(MemberEntity, { applicationId: from, role: "OWNER" });
  if (owners.length === 0) return;
  const now = clock.now();
  tx.defer("SELECT set_config('ems.application_id', $1, true)", [applicationId]);
  const copies = owners.map((owner) => ({ ...owner, applicationId, id: newId(), createdAt: now, modifiedAt: now }));
  await tx.insert(MemberEntity, copies);
  tx.defer("SELECT set_config('ems.application_id', $1, true)", [from]);
}
