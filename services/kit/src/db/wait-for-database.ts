import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { Code } from "../errors.ts";
import type { Logger } from "../log.ts";
import { connectionWaitMs } from "./data-source.ts";
import { databaseError } from "./errors.ts";

const retryEveryMs = 1_000;

/** Waits until the database takes connections, so that start order does not matter. A permanent failure is thrown. */
export async function waitForDatabase(url: string, log: Logger): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1, connectionTimeoutMillis: connectionWaitMs });
  pool.on("error", () => undefined);
  try {
    for (let logged = ""; ; await delay(retryEveryMs)) {
      const error: unknown = await pool.query("SELECT").then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (error === undefined) return;
      if (databaseError(error)?.code !== Code.Unavailable) throw error;
      if (logged !== String(error)) log.warn({ err: error }, "waiting for the database");
      logged = String(error);
      // An orphaned child process has nobody to wait for.
      if (process.send !== undefined && !process.connected) throw error;
    }
  } finally {
    await pool.end();
  }
}
