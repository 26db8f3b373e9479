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
 * For a job that was just parked: a change between its refusal and its parking has not seen it waiting. Every such
 * change holds one of these locks until its commit. It is therefore visible here, or sees the parked job itself.
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
