// Makes waiting jobs due when the reason for their wait changes.

import type { Transaction } from "@ems/kit/db/transaction";
import type { SettingRow } from "../setting.ts";
import type { Connection } from "./connections.ts";

/** Makes waiting jobs of the application due after a budget or a connection changed. */
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

/** The reason why a job was refused, with the setting and connection at that time. */
export interface Refusal {
  readonly waitingFor: "budget" | "model_connection";
  readonly setting: SettingRow | null;
  readonly connection: Pick<Connection, "id"> | undefined;
}
