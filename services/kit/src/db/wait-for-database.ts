import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { Code } from "../errors.ts";
import { connectionWaitMs } from "./data-source.ts";
import { databaseError } from "./errors.ts";

const retryEveryMs = 1_000;

export interface WaitOptions {
  /** Called for each reason once, until another one takes its place. */
  readonly onWaiting: (reason: Error) => void;
  /** After that long the reason is thrown; by default it waits for ever. */
  readonly waitMs?: number | undefined;
}

/** Waits until the database takes connections, so that start order does not matter. A permanent failure is thrown. */
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
      // An orphaned child process has nobody to wait for.
      if (process.send !== undefined && !process.connected) throw error;
    }
  } finally {
    await pool.end();
  }
}
