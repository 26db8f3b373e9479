import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { Code } from "../errors.ts";
import { connectionWaitMs } from "./data-source.ts";
import { databaseError } from "./errors.ts";

const retryEveryMs = 1_000;

export interface WaitOptions {
  /** Called with the reason for waiting, each time that the reason changes. */
  readonly onWaiting: (reason: Error) => void;
  /** Maximum wait, after which the reason is thrown; by default unlimited. */
  readonly waitMs?: number | undefined;
}

/** Waits until the database accepts connections, so that the start order does not matter. Throws permanent failures. */
export async function waitForDatabase(url: string, { onWaiting, waitMs = Infinity }: WaitOptions): Promise<void> {
  const startedMs = performance.now();
  const pool = new pg.Pool({ connectionString: url, max: 1, connectionTimeoutMillis: connectionWaitMs });
  pool.on("error", () => undefined);
  try {
    for (let logged = ""; ; await delay(retryEveryMs)) {
      const error: unknown = await pool.query("SELECT").then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (error === undefined) return;
      if (databaseError(error)?.code !== Code.Unavailable || !(error instanceof Error)) throw error;
      if (performance.now() - startedMs + retryEveryMs > waitMs) throw error;
      if (logged !== String(error)) onWaiting(error);
      logged = String(error);
      // Stop waiting in an orphaned child process.
      if (process.send !== undefined && !process.connected) throw error;
    }
  } finally {
    await pool.end();
  }
}
