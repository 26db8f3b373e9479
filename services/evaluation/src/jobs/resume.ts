// Jobs that wait go on when what they wait for changed.

import type { Transaction } from "@ems/kit/db/transaction";
import type { SettingRow } from "../setting.ts";
import type { Connection } from "./connections.ts";

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
