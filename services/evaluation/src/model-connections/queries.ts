import { rowById } from "@ems/kit/db/row-by-id";
import type { Transaction } from "@ems/kit/db/transaction";
import { invalidField, notFound, unavailable } from "@ems/kit/errors";
import type { PublicHosts } from "@ems/kit/hosts";
import type { Call } from "@ems/kit/rpc/call";
import type { GetPrice } from "@ems/prices";
import { hasMoneyBudget } from "../budgets/index.ts";
import { SettingEntity } from "../setting.ts";
import { ModelConnectionEntity, type ModelConnectionRow } from "./entity.ts";
import { getCost } from "./find-connection.ts";

const name = "Model connection";

export const connectionById = rowById<ModelConnectionRow>(ModelConnectionEntity, name);

/** Returns a connection of the application and locks it for a change. */
export async function lockedConnection(tx: Transaction, { tenant }: Call, id: string): Promise<ModelConnectionRow> {
  const { applicationId } = tenant;
  const row = await tx.findOne(ModelConnectionEntity, { applicationId, id }, { lock: "UPDATE" });
  if (row === null) throw notFound(name);
  return row;
}

/** Prevents changes to the application's connections and their prices until the transaction ends. */
export function lockConnections(tx: Transaction, applicationId: string): void {
  tx.defer("SELECT pg_advisory_xact_lock(hashtextextended($1, 17))", [applicationId]);
}

/** Throws for a connection without prices if there is a budget in money, which could not limit its calls. */
export async function requirePrices(
  tx: Transaction,
  row: Parameters<typeof getCost>[0] & Pick<ModelConnectionRow, "applicationId">,
  findPrice: GetPrice,
  now: Date,
): Promise<void> {
  const setting = await tx.findOne(SettingEntity, { applicationId: row.applicationId });
  if (hasMoneyBudget(setting) && getCost(row, findPrice, () => now) === undefined)
    throw invalidField(["prices"], "are required while a budget in money is set");
}

/** Removes the default mark from the application's other connections. */
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
