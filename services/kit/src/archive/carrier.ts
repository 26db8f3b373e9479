// Carries old rows to the archive, application by application in turns, and deletes there what was withdrawn. Any number of
// processes do it: a batch is reserved before it is written, and one that a process left behind is given up by the others.

import type { ClickHouseClient } from "@clickhouse/client";
import { type BackgroundLoop, type RunResult, startLoop } from "../background.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import type { RelayDatabase } from "../db/relay-database.ts";
import { requestLoad } from "../limits/request-load.ts";
import type { Logger } from "../log.ts";
import { applicationsWith } from "../retention/applications.ts";
import { counter, gauge } from "../telemetry/metrics.ts";
import {
  type Batch,
  forgetBatches,
  hiddenBatches,
  openBatch,
  type Place,
  publishBatch,
  waitForEarlier,
  withdrawnBatches,
  withdrawOpen,
  withdrawRestored,
} from "./batches.ts";
import { archiveClient, withoutStatement } from "./client.ts";
import type { CarrierConfig } from "./config.ts";
import { copyBatch, deleteRows } from "./copy.ts";
import { nextInterval } from "./interval.ts";
import type { ArchivedKind } from "./kind.ts";
import type { ArchiveKind } from "./types.ts";

export interface CarrierOptions {
  readonly schema: string;
  readonly kinds: readonly ArchivedKind[];
  /** Runs once, before the first batch is opened. */
  readonly prepare?: () => Promise<void>;
  readonly onCarried?: (batch: Batch & { readonly rows: number }) => void;
}

export interface CarrierDeps {
  readonly database: Database;
  readonly relayDatabase: RelayDatabase;
  readonly clock: Clock;
  readonly log: Logger;
}

/** One application's rows of a kind; those before `from` were looked at in this round. */
interface Task extends Place {
  readonly archived: ArchivedKind;
  from: number;
}

const everyMs = 60_000;
const backoffMaxMs = 600_000;
const yieldMs = 100;
const dayMs = 86_400_000;

const onCarried = counter({
  name: "ems_archive_rows_total",
  help: "Rows that were copied to the archive and compared, by kind.",
  labels: ["kind"],
});
const onFailed = counter({
  name: "ems_archive_failures_total",
  help: "Batches of the archive that could not be copied, by kind.",
  labels: ["kind"],
});
const lag = gauge({
  name: "ems_archive_lag_seconds",
  help: "How long the oldest rows have been due that are not in the archive yet, by service and kind; 0 when there are none.",
  labels: ["part", "kind"],
});

export class Carrier {
  readonly #options: CarrierOptions;
  readonly #config: CarrierConfig & { readonly DATABASE_URL: string };
  readonly #client: ClickHouseClient;
  readonly #deps: CarrierDeps;
  #tasks: Task[] = [];
  /** Until when everything was carried, but for what is busy. */
  readonly #carriedUntil = new Map<string, number>();
  /** Of what this round has found, by kind. */
  readonly #oldest = new Map<ArchiveKind, number>();
  #isPrepared = false;
  #loop: BackgroundLoop | undefined;
  #endLag = () => {};

  constructor(
    options: CarrierOptions,
    config: CarrierConfig & { readonly DATABASE_URL: string },
    client: ClickHouseClient,
    deps: CarrierDeps,
  ) {
    this.#options = options;
    this.#config = config;
    this.#client = client;
    this.#deps = deps;
  }

  start(): void {
    const { schema, kinds } = this.#options;
    for (const { kind } of kinds) {
      onCarried({ kind }, 0);
      onFailed({ kind }, 0);
    }
    this.#endLag = lag(() =>
      kinds.map(({ kind }) => {
        const oldest = this.#oldest.get(kind);
        return { labels: { part: schema, kind }, value: oldest === undefined ? 0 : this.#dueForMs(oldest) / 1_000 };
      }),
    );
    const { log } = this.#deps;
    const work = (signal: AbortSignal) => this.#turn(signal);
    this.#loop = startLoop({ name: "copying to the archive", everyMs, backoffMaxMs, log, work });
  }

  async stop(): Promise<void> {
    this.#endLag();
    await this.#loop?.stop();
    await this.#client.close();
  }

  /** Carries what is due, all of it; rejects at the end when a batch failed. */
  async run(signal: AbortSignal = new AbortController().signal): Promise<void> {
    const failures: unknown[] = [];
    do {
      signal.throwIfAborted();
      await this.#turn(signal).catch((error: unknown) => failures.push(error));
    } while (this.#tasks.length > 0);
    if (failures.length > 0) throw failures[0];
  }

  /** For how long the oldest rows have been due that are in no batch; only looks. */
  async lagMs(): Promise<number> {
    let oldest = Number.POSITIVE_INFINITY;
    for (const task of await this.#due()) {
      const search = { ...task, batchRows: this.#config.ARCHIVE_BATCH_ROWS };
      const interval = await nextInterval(this.#deps.database, search, { from: 0, to: this.#horizon() });
      oldest = Math.min(oldest, interval?.from ?? oldest);
    }
    return Math.max(0, this.#dueForMs(oldest));
  }

  /** Times before it are carried: whole days, so that a day's rows are in few batches. */
  #horizon(): number {
    const { ARCHIVE_AFTER_DAYS: days } = this.#config;
    return (Math.floor(this.#deps.clock.now().getTime() / dayMs) - days) * dayMs;
  }

  /** A day is due when it has ended so many days ago. */
  #dueForMs(time: number): number {
    const { ARCHIVE_AFTER_DAYS: days } = this.#config;
    return this.#deps.clock.now().getTime() - (Math.floor(time / dayMs) + 1 + days) * dayMs;
  }

  /** A batch of one application; a round ends when each has no more. */
  async #turn(signal: AbortSignal): Promise<RunResult> {
    if (!this.#isPrepared) await this.#options.prepare?.();
    this.#isPrepared = true;
    if (this.#tasks.length === 0) this.#tasks = await this.#due();
    const task = this.#tasks.shift();
    if (task === undefined) return "idle";
    try {
      const isMore = await this.#carryNext(task, signal);
      if (isMore) this.#tasks.push(task);
    } catch (error) {
      // The next round tries it again.
      onFailed({ kind: task.kind });
      throw withoutStatement(error);
    }
    await requestLoad.yieldToRequests(yieldMs);
    return this.#tasks.length > 0 ? "more" : "idle";
  }

  /** Who has rows that became due, or batches that were withdrawn or left behind. */
  async #due(): Promise<Task[]> {
    const { schema, kinds } = this.#options;
    const { relayDatabase } = this.#deps;
    const horizon = this.#horizon();
    const unfinished = await relayDatabase.query<{ applicationId: string; kind: ArchiveKind }>({
      text: `SELECT DISTINCT application_id AS "applicationId", kind FROM ${schema}.archive_batch
        WHERE state IN ('open', 'restored', 'withdrawn')`,
    });
    const tasks: Task[] = [];
    for (const archived of kinds) {
      const { kind, root } = archived;
      const due = await applicationsWith(relayDatabase, { table: root, age: "created_at" }, new Date(horizon));
      const uncarried = due.filter((id) => this.#carriedUntil.get(`${kind} ${id}`) !== horizon);
      const withdrawn = unfinished.filter((one) => one.kind === kind).map(({ applicationId }) => applicationId);
      for (const applicationId of new Set([...uncarried, ...withdrawn])) {
        tasks.push({ schema, applicationId, kind, archived, from: 0 });
      }
      this.#oldest.delete(kind);
    }
    return tasks;
  }

  /** Whether there may be more of the task. */
  async #carryNext(task: Task, signal: AbortSignal): Promise<boolean> {
    const { database } = this.#deps;
    const { applicationId, kind, archived } = task;
    const horizon = this.#horizon();
    if (task.from === 0) await this.#clean(task);
    const search = { ...task, batchRows: this.#config.ARCHIVE_BATCH_ROWS };
    const interval = await nextInterval(database, search, { from: task.from, to: horizon });
    if (interval === undefined) {
      this.#carriedUntil.set(`${kind} ${applicationId}`, horizon);
      return false;
    }
    const last = interval.to - 1;
    this.#oldest.set(kind, Math.min(last, this.#oldest.get(kind) ?? last));
    task.from = interval.to;
    const batch = await openBatch(database, task, interval);
    if (batch !== undefined) await this.#carry(batch, archived, signal);
    return true;
  }

  async #carry(batch: Batch, { tables }: ArchivedKind, signal: AbortSignal): Promise<void> {
    const { database, log } = this.#deps;
    const { schema, applicationId, kind, number } = batch;
    try {
      await waitForEarlier(database, batch, signal);
      const hidden = await hiddenBatches(database, batch);
      const copying = { client: this.#client, config: this.#config, url: this.#config.DATABASE_URL };
      const checks = await copyBatch(copying, tables, batch, hidden);
      if (!(await publishBatch(database, batch, checks))) return;
      const rows = Object.values(checks).reduce((sum, table) => sum + Number(table.rows), 0);
      onCarried({ kind }, rows);
      this.#options.onCarried?.({ ...batch, rows });
      log.info({ kind, batch: number, rows }, "copied a batch to the archive");
    } catch (error) {
      await withdrawOpen(database, { schema, applicationId, kind, number });
      throw error;
    }
  }

  /** Gives up what other processes left behind, and deletes the rows of what was withdrawn long enough ago. */
  async #clean(task: Task): Promise<void> {
    const { database } = this.#deps;
    const place: Place = { schema: task.schema, applicationId: task.applicationId, kind: task.kind };
    await withdrawOpen(database, place);
    await withdrawRestored(database, place, this.#config.ARCHIVE_AFTER_DAYS);
    const numbers = await withdrawnBatches(database, place);
    if (numbers.length === 0) return;
    for (const table of task.archived.tables) {
      await deleteRows({ client: this.#client, config: this.#config }, table, task.applicationId, { numbers });
    }
    await forgetBatches(database, place, numbers);
  }
}

/** Carries rows, when it is started in the background; undefined when no archive is configured. */
export function carrierOf(
  options: CarrierOptions,
  config: CarrierConfig & { readonly DATABASE_URL: string },
  deps: CarrierDeps,
): Carrier | undefined {
  const client = archiveClient(config);
  return client && new Carrier(options, config, client, deps);
}
