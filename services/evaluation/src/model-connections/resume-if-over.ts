import { monotonicMs } from "@ems/kit/clock";
import type { Database } from "@ems/kit/db/database";
import type { Tenant } from "@ems/kit/tenant";
import { areBudgetsEqual } from "../budgets/index.ts";
import { type Refusal, resumeJobs } from "../jobs/index.ts";
import { SettingEntity } from "../setting.ts";
import { ModelConnectionEntity } from "./entity.ts";
import { findRow } from "./find-connection.ts";
import { lockConnections } from "./queries.ts";

const statementMs = 5_000;

/**
 * Resumes a job that was just parked if the reason for its wait is over: a change between refusal and parking did not
 * find it. Such a change holds one of these locks until commit, so it is visible here or finds the parked job.
 */
export function resumeIfOver(
  database: Database,
  { applicationId, orgId }: Pick<Tenant, "applicationId" | "orgId">,
  { waitingFor, setting, connection }: Refusal,
  now: Date,
): Promise<void> {
  return database.withScope({ applicationId, orgId }, monotonicMs() + statementMs, async (tx) => {
    lockConnections(tx, applicationId);
    if (connection !== undefined)
      await tx.findOne(ModelConnectionEntity, { applicationId, id: connection.id }, { lock: "SHARE" });
    const present = await tx.findOne(SettingEntity, { applicationId });
    if (waitingFor === "budget") {
      if (!areBudgetsEqual(setting, present)) resumeJobs(tx, applicationId, waitingFor, now);
      return;
    }
    const used = await findRow(tx, applicationId, present?.defaultConnectionId ?? undefined);
    const isPaused = used !== undefined && used.id === connection?.id && used.pausedAt !== null;
    if (!isPaused) resumeJobs(tx, applicationId, waitingFor, now);
  });
}
