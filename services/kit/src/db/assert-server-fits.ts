// Checks at start for problems that would otherwise appear hours later: too few connections, differing clocks.

import type { Clock } from "../clock.ts";
import { withClient } from "./client.ts";

/** Clock offset that callers' tokens tolerate. Beyond it, dates of services and PostgreSQL are inconsistent. */
export const clockOffsetMaxMs = 30_000;
const timeoutMs = 10_000;

export interface ServerNeeds {
  /** Connections that the program may open at the same time. */
  readonly connections: number;
  readonly clock: Clock;
}

interface Row {
  readonly connectionsMax: number;
  readonly nowMs: number;
}

/** Throws if the server of `url` has fewer connections than the program may open, or a clock that differs. */
export async function assertServerFits(url: string, { connections, clock }: ServerNeeds): Promise<void> {
  const { host } = new URL(url);
  const { offsetMs, connectionsMax } = await withClient(
    url,
    async (client) => {
      const beforeMs = clock.now().getTime();
      const { rows } = await client.query<Row>(`
      SELECT least(current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
          - coalesce(current_setting('reserved_connections', true)::int, 0), nullif(datconnlimit, -1)) AS "connectionsMax",
        extract(epoch FROM clock_timestamp())::float8 * 1000 AS "nowMs"
      FROM pg_database WHERE datname = current_database()`);
      const afterMs = clock.now().getTime();
      const [row = { connectionsMax: 0, nowMs: 0 }] = rows;
      // PostgreSQL read its clock between the two readings: this is the minimum difference.
      const offsetMs = Math.max(beforeMs - row.nowMs, row.nowMs - afterMs, 0);
      return { offsetMs: beforeMs > row.nowMs ? offsetMs : -offsetMs, connectionsMax: row.connectionsMax };
    },
    timeoutMs,
  );
  if (Math.abs(offsetMs) > clockOffsetMaxMs) {
    const seconds = Math.round(Math.abs(offsetMs) / 1_000);
    throw new Error(
      `this machine's clock is ${seconds} s ${offsetMs > 0 ? "ahead of" : "behind"} that of PostgreSQL at ${host}: set both by NTP, ` +
        `they may differ by ${clockOffsetMaxMs / 1_000} s`,
    );
  }
  if (connections > connectionsMax) {
    throw new Error(
      `PostgreSQL at ${host} has too few connections: ${connectionsMax} for programs, and ${connections} may be opened. Raise ` +
        "max_connections, or lower DATABASE_POOL_MAX and RELAY_POOL_MAX",
    );
  }
}
