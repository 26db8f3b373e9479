// A PostgreSQL standby by streaming replication, like the ones that serve reports.

import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@ems/dev/postgres";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { isRetryable } from "@ems/kit/db/errors";
import pg from "pg";

export interface Replicated {
  /** URL as the superuser, of the maintenance database. */
  readonly primaryUrl: string;
  readonly standbyUrl: () => string;
  /** Runs one statement on the standby, as its superuser, in the named database; returns the rows. */
  onStandby<Row extends pg.QueryResultRow>(database: string, text: string): Promise<Row[]>;
  /** Log of the standby so far. */
  standbyLog(): Promise<string>;
  /** Sends the write-ahead log so far to the standby, committed or not. */
  send(): Promise<string>;
  /** Resolves when the standby has replayed the write-ahead log so far. */
  caughtUp(): Promise<void>;
  /** Stops the standby cleanly; it restarts on another port. */
  stopStandby(): Promise<void>;
  startStandby(): Promise<void>;
  remove(): Promise<void>;
}

const settings = { wal_level: "replica", max_wal_senders: "4", synchronous_commit: "on", autovacuum: "off" };
const standbySettings = {
  ...settings,
  wal_retrieve_retry_interval: "100ms",
  // Maximum delay for queries that conflict with replay.
  max_standby_streaming_delay: "250ms",
  // Logs a wait longer than the deadlock timeout of one second: the query has been canceled by then.
  log_recovery_conflict_waits: "on",
};
/** Files that belong to a running server, or are streamed. */
const notCopied = /\/(postmaster\.(pid|opts)|pg_wal\/.+|pg_internal\.init.*|pgsql_tmp.*)$/;

/** Starts a primary; runs `fill` before the standby's base backup. */
export async function replicatedPostgres(fill: (primaryUrl: string) => Promise<void>): Promise<Replicated> {
  const dir = await temporaryDir("ems-test-replicated-");
  const [primaryDir, standbyDir] = [join(dir, "primary"), join(dir, "standby")];
  const primary = await startEmbeddedPostgres({ dataDir: primaryDir, volatile: true, settings });
  let standby: EmbeddedPostgres | undefined;
  const startStandby = async () => {
    standby = await startEmbeddedPostgres({ dataDir: standbyDir, volatile: true, settings: standbySettings });
  };
  const remove = async () => {
    await standby?.stop();
    await primary.stop();
    await rm(dir, { recursive: true, force: true });
  };
  try {
    await fill(primary.url);
    await baseBackup(primary.url, primaryDir, standbyDir);
    await startStandby();
  } catch (error) {
    await remove();
    throw error;
  }
  const standbyUrl = () => standby?.url ?? "";
  return {
    primaryUrl: primary.url,
    standbyUrl,
    onStandby: (database, text) => retryRead(new URL(`/${database}`, standbyUrl()).href, text),
    standbyLog: () => readFile(join(standbyDir, "postgres.log"), "utf8"),
    send: () => send(primary.url),
    caughtUp: () => caughtUp(primary.url, standbyUrl()),
    stopStandby: async () => standby?.stop(),
    startStandby,
    remove,
  };
}

/** Like pg_basebackup, which the embedded PostgreSQL lacks. */
async function baseBackup(primaryUrl: string, from: string, to: string): Promise<void> {
  await mkdir(to);
  await cp(join(from, "superuser-password"), join(to, "superuser-password"));
  await connected(primaryUrl, async (client) => {
    await client.query("SELECT pg_backup_start('standby', fast => true)");
    const [source, copy] = [join(from, "pg"), join(to, "pg")];
    await cp(source, copy, { recursive: true, filter: (path) => !notCopied.test(path) });
    const { rows } = await client.query<{ labelfile: string }>(
      "SELECT * FROM pg_backup_stop(wait_for_archive => false)",
    );
    await writeFile(join(copy, "backup_label"), rows[0]?.labelfile ?? "");
    await writeFile(join(copy, "standby.signal"), "");
    const { hostname, port, username, password } = new URL(primaryUrl);
    const connection = `host=${hostname} port=${port} user=${username} password=${password}`;
    await writeFile(join(copy, "postgresql.auto.conf"), `primary_conninfo = '${connection}'\n`);
  });
}

/** Flushes the log with a message: records without a waiting commit would otherwise be sent seconds later. */
async function send(primaryUrl: string): Promise<string> {
  const [row] = await readRows<{ lsn: string }>(
    primaryUrl,
    "SELECT pg_logical_emit_message(false, '', '', true) AS lsn",
  );
  return row?.lsn ?? "";
}

async function caughtUp(primaryUrl: string, standbyUrl: string): Promise<void> {
  const sent = await send(primaryUrl);
  const replayed = "SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS done";
  for (const untilMs = Date.now() + 60_000; Date.now() < untilMs; ) {
    const [row] = await retryRead<{ done: boolean }>(standbyUrl, replayed, [sent]);
    if (row?.done) return;
  }
  throw new Error("the standby does not follow");
}

/** Like `rowsOf`, repeated while the standby cancels the query. */
async function retryRead<Row extends pg.QueryResultRow>(url: string, text: string, values?: unknown[]): Promise<Row[]> {
  for (;;) {
    try {
      return await readRows<Row>(url, text, values);
    } catch (error) {
      if (!isRetryable(error)) throw error;
    }
  }
}

/** Runs one statement on a connection of its own; returns the rows. */
export function readRows<Row extends pg.QueryResultRow>(url: string, text: string, values?: unknown[]): Promise<Row[]> {
  return connected(url, async (client) => (await client.query<Row>(text, values)).rows);
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
