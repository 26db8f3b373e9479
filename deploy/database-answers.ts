import { assertServerSupported } from "@ems/kit/db/server-version";
import { waitForDatabase } from "@ems/kit/db/wait-for-database";
import { databaseFailure, getReason } from "./database-failure.ts";

interface Waiting {
  /** Name of the variable with the URL. */
  readonly variable: string;
  readonly url: string;
  readonly waitSeconds: number;
  readonly print: (line: string) => void;
}

/**
 * Waits until a database responds. Throws with the reason if it does not, or if it is too old. In a cluster, database and Job may start
 * at the same time.
 */
export async function databaseAnswers({ variable, url, waitSeconds, print }: Waiting): Promise<void> {
  await waitForDatabase(url, {
    waitMs: waitSeconds * 1_000,
    onWaiting: (reason) => print(`Waiting up to ${waitSeconds} s for PostgreSQL: ${getReason(reason)}`),
  }).catch((error: unknown) => {
    throw databaseFailure(variable, url, error);
  });
  await assertServerSupported(url);
}
