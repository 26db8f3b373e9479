// Charges calls whose process died, even if their application makes no further calls.

import { type BackgroundLoop, runEvery } from "@ems/kit/background";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { Logger } from "@ems/kit/log";
import type { Tenant } from "@ems/kit/tenant";
import type { Budgets } from "./budgets.ts";

interface ChargeLostDeps {
  readonly relayDatabase: RelayDatabase;
  readonly budgets: Budgets;
  readonly log: Logger;
}

const everyMs = 30_000;
const applicationsMax = 1_000;

export function startChargingLost(deps: ChargeLostDeps): BackgroundLoop {
  return runEvery("charging calls of lost processes", everyMs, () => chargeLostCalls(deps), deps.log);
}

export async function chargeLostCalls({
  relayDatabase,
  budgets,
}: Pick<ChargeLostDeps, "relayDatabase" | "budgets">): Promise<void> {
  // The query is cheap, because the index of open calls only contains calls in progress.
  const lost = "ended_at IS NULL AND expires_at <= clock_timestamp()";
  const applications = await relayDatabase.query<Omit<Tenant, "userId">>({
    text: `SELECT DISTINCT application_id AS "applicationId", org_id AS "orgId" FROM evaluation.model_call
      WHERE is_reserved AND ${lost} LIMIT ${applicationsMax}`,
  });
  for (const tenant of applications) await budgets.chargeLost({ ...tenant, userId: "", isBackground: true });
  // Deletes calls without a reservation: their process died before they could begin.
  await relayDatabase.change({ text: `DELETE FROM evaluation.model_call WHERE NOT is_reserved AND ${lost}` });
}
