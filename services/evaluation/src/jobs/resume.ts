// Jobs that wait go on when what they wait for changed.

import { monotonicMs } from "@ems/kit/clock";
import type { Database } from "@ems/kit/db/database";
import type { Transaction } from "@ems/kit/db/transaction";
import type { Tenant } from "@ems/kit/tenant";
import { areBudgetsEqual } from "../budgets/index.ts";
import { findRow, lockConnections, ModelConnectionEntity } from "../model-connections/index.ts";
import { SettingEntity, type SettingRow } from "../setting.ts";
import type { Connection } from "./connections.ts";

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

/** What refused a job's call. */
export interface Refusal {
  readonly waitingFor: "budget" | "model_connection";
  readonly setting: SettingRow | null;
  readonly connection: Pick<Connection, "id"> | undefined;
}

/**
 * For a job that was just parked: a change between its refusal and its park has not seen it waiting. Every such change holds
 * one of these locks until its commit, so that it is seen here, or sees the parked job itself.
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
