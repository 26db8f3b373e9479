import { assertServerSupported } from "@ems/kit/db/server-version";
import { waitForDatabase } from "@ems/kit/db/wait-for-database";
import { databaseFailure, getReason } from "./database-failure.ts";

interface Waiting {
  /** Name of the environment variable that contains the URL. */
  readonly variable: string;
  readonly url: string;
  readonly waitSeconds: number;
  readonly print: (line: string) => void;
}

/**
 * Waits until a database responds, because in a cluster database and Job may start at the same time. Throws an error
 * with the reason if the database does not respond, or if its version is too old.
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
