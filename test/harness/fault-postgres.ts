// A PostgreSQL that a test kills and restarts: it is durable, and keeps its address, which is a fault proxy's.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@ems/dev/postgres";
import { withClient } from "@ems/kit/db/client";
import { type FaultProxy, startFaultProxy } from "@ems/test-support/fault-proxy";

export interface FaultPostgres {
  /** URL of the maintenance database as the superuser, through the proxy. */
  readonly url: string;
  readonly proxy: FaultProxy;
  /** The same without the proxy: it changes with each start. */
  directUrl(): string;
  /** `kill -9` of the postmaster and all its processes: the next start recovers from the write-ahead log. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** `kill -9` of one connection's process: the postmaster ends all others and recovers. */
  crash(): Promise<void>;
  close(): Promise<void>;
}

export async function startFaultPostgres(
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<FaultPostgres> {
  let postgres: EmbeddedPostgres = await startEmbeddedPostgres({ dataDir, environment });
  const pids = async (which: string) => {
    const text = `SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid() ${which}`;
    const { rows } = await withClient(postgres.url, (client) => client.query<{ pid: number }>(text));
    return rows.map(({ pid }) => pid);
  };
  // Read from the file, so that clients that connect during the recovery get the new port.
  const port = () => {
    try {
      return Number(readFileSync(join(dataDir, "pg", "postmaster.pid"), "utf8").split("\n")[3]);
    } catch {
      return 0;
    }
  };
  const proxy = await startFaultProxy(() => port() || 1);
  return {
    url: Object.assign(new URL(postgres.url), { port: String(proxy.port) }).href,
    proxy,
    directUrl: () => postgres.url,
    async kill() {
      // Unavailable during recovery; these end with the postmaster then.
      const backends = await pids("").catch(() => []);
      for (const pid of [postgres.pid, ...backends]) kill(pid);
      await postgres.exited;
    },
    async start() {
      postgres = await startEmbeddedPostgres({ dataDir, environment });
    },
    async crash() {
      const [pid] = await pids("AND backend_type = 'client backend' ORDER BY random() LIMIT 1");
      if (pid !== undefined) kill(pid);
    },
    async close() {
      await proxy.close();
      await postgres.stop();
    },
  };
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has exited meanwhile.
  }
}
