// Jobs that wait go on when what they wait for changed.

import type { Database } from "@ems/kit/db/database";
import type { Transaction } from "@ems/kit/db/transaction";
import type { Tenant } from "@ems/kit/tenant";
import { areBudgetsEqual } from "../budgets/index.ts";
import { SettingEntity, type SettingRow } from "../setting.ts";

const statementMs = 5_000;

/** Jobs of the application that wait are due again: a budget or a connection changed. */
export function resumeJobs(
  tx: Transaction,
  applicationId: string,
  waitingFor: "budget" | "model_connection",
  now: Date,
): void {
  tx.defer(
    `UPDATE evaluation.job SET next_attempt_at = $3 WHERE application_id = $1 AND waiting_for = $2
       AND next_attempt_at > $3`,
    [applicationId, waitingFor, now],
  );
}

/**
 * For a job that waits since budgets refused it: a change that came between has not seen it waiting. The row's lock waits for
 * a change that has not been committed.
 */
export function resumeIfChanged(
  database: Database,
  { applicationId, orgId }: Tenant,
  setting: SettingRow | null,
  now: Date,
): Promise<void> {
  return database.withScope({ applicationId, orgId }, Date.now() + statementMs, async (tx) => {
    const present = await tx.findOne(SettingEntity, { applicationId }, { lock: "SHARE" });
    if (!areBudgetsEqual(setting, present)) resumeJobs(tx, applicationId, "budget", now);
  });
}
