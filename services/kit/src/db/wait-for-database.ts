import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { Code } from "../errors.ts";
import type { Logger } from "../log.ts";
import { databaseError } from "./errors.ts";

const everyMs = 1_000;

/**
 * Waits until the database takes connections: one that comes later than its clients, or is away while they are moved, costs
 * nobody a restart. What waiting does not heal, such as a wrong password, is thrown.
 */
export async function untilReachable(url: string, log: Logger): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1, connectionTimeoutMillis: 2_500 });
  pool.on("error", () => undefined);
  try {
    for (let told = ""; ; await delay(everyMs)) {
      const fault: unknown = await pool.query("SELECT").then(
        () => undefined,
        (error: unknown) => error,
      );
      if (fault === undefined) return;
      if (databaseError(fault)?.code !== Code.Unavailable) throw fault;
      if (told !== String(fault)) log.warn({ err: fault }, "waiting for the database");
      told = String(fault);
      // Whoever started this process is gone, and with it the reason to wait.
      if (process.send !== undefined && !process.connected) throw fault;
    }
  } finally {
    await pool.end();
  }
}
