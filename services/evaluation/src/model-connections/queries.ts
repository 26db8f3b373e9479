import { rowById } from "@ems/kit/db/row-by-id";
import type { Transaction } from "@ems/kit/db/transaction";
import { invalidField, notFound, unavailable } from "@ems/kit/errors";
import type { PublicHosts } from "@ems/kit/hosts";
import type { Call } from "@ems/kit/rpc/call";
import { ModelConnectionEntity, type ModelConnectionRow } from "./entity.ts";

const name = "Model connection";

export const connectionById = rowById<ModelConnectionRow>(ModelConnectionEntity, name);

/** The application's connection, locked for a change. */
export async function lockedConnection(tx: Transaction, { tenant }: Call, id: string): Promise<ModelConnectionRow> {
  const { applicationId } = tenant;
  const row = await tx.findOne(ModelConnectionEntity, { applicationId, id }, { lock: "UPDATE" });
  if (row === null) throw notFound(name);
  return row;
}

/** One default: the others are none any more. */
export async function clearDefaults(tx: Transaction, applicationId: string, exceptId: string): Promise<void> {
  await tx.query(
    "UPDATE evaluation.model_connection SET is_default = false WHERE application_id = $1 AND is_default AND id <> $2",
    [applicationId, exceptId],
  );
}

export async function requireAllowedHost(hosts: PublicHosts, baseUrl: string | undefined): Promise<void> {
  if (baseUrl === undefined) return;
  const result = await hosts.checkUrl(baseUrl);
  if (result.ok) return;
  if (result.reason === "resolver") throw unavailable("Names cannot be resolved at the moment");
  throw invalidField(["base_url"], "must be https and resolve to a public host");
}
