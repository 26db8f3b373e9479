import type { Transaction } from "@ems/kit/db/transaction";
import type { Deps } from "../deps.ts";
import { ApplicationEntity } from "./entity.ts";
import { newApplication } from "./new-application.ts";
import { toSlug } from "./slug.ts";

/**
 * Finds or creates the application by the slug of its title, or by the title if that has no slug. Without a title,
 * finds the oldest application.
 */
export async function findOrCreateApplication(
  deps: Pick<Deps, "clock" | "newId">,
  tx: Transaction,
  orgId: string,
  title: string | undefined,
): Promise<{ id: string; isNew: boolean }> {
  const slug = toSlug(title ?? "");
  const where = { orgId, ...(title !== undefined && (slug === "" ? { title } : { slug })) };
  const found = await tx.findOne(ApplicationEntity, where, { orderBy: { createdAt: "ASC" } });
  if (found !== null) return { id: found.id, isNew: false };
  const row = newApplication(deps, orgId, { title: title ?? "Demo application" });
  await tx.insert(ApplicationEntity, row);
  return { id: row.id, isNew: true };
}
