import type { Transaction } from "@ems/kit/db/transaction";
import type { Deps } from "../deps.ts";
import { OrganisationEntity } from "./entity.ts";

/** Finds the organization by name or, without a name, the oldest. Only the owner role may see all organizations. */
export async function findOrganisation(tx: Transaction, name: string | undefined): Promise<string | undefined> {
  const where = name === undefined ? {} : { name };
  const row = await tx.findOne(OrganisationEntity, where, { orderBy: { createdAt: "ASC" } });
  return row?.id;
}

export async function createOrganisation(
  { clock }: Pick<Deps, "clock">,
  tx: Transaction,
  id: string,
  name = "Demo organization",
): Promise<void> {
  const now = clock.now();
  await tx.insert(OrganisationEntity, { id, name, createdAt: now, modifiedAt: now });
}
