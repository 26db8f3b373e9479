// Carries old rows to the archive, application by application in turns, and deletes there what was withdrawn. Any number of
// processes do it: a batch is reserved before it is written, and one that a process left behind is given up by the others.

import { type BackgroundLoop, startLoop } from "../background.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import type { RelayDatabase } from "../db/relay-database.ts";
import { requestLoad } from "../limits/request-load.ts";
import type { Logger } from "../log.ts";
import { applicationsWith } from "../retention/applications.ts";
import { counter, gauge } from "../telemetry/metrics.ts";
import {
  type Batch,
  findBatches,
  forgetBatches,
  openBatch,
  type Place,
  publishBatch,
  waitForEarlier,
  withdrawBatches,
} from "./batches.ts";
import { withoutStatement } from "./client.ts";
import { type CopySource, copyBatch, deleteRows } from "./copy.ts";
import { nextInterval } from "./interval.ts";
import type { ArchivedKind } from "./kind.ts";
import type { ArchiveKind, Interval } from "./types.ts";
import { assertArchived } from "./verify.ts";

export interface CarrierOptions {
  /** Its function `watch_archived` has changes withdraw batches, from the first one on. */
  readonly schema: string;
  readonly kinds: readonly ArchivedKind[];
  readonly onCarried?: (batch: Batch) => void;
}

export interface CarrierDeps {
  readonly source: CopySource;
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

/** Opened for longer than a request to ClickHouse may take: its process is gone. Restored: it was there for the days. */
export const abandoned = `((b.state = 'open' AND b.changed_at < now() - interval '15 minutes')
  OR (b.state = 'restored' AND b.changed_at < now() - $3 * interval '1 day'))`;
/** No request for rows of the batch is under way any more. */
const unread = "b.state = 'withdrawn' AND b.changed_at < now() - interval '1 hour'";

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
  readonly #deps: CarrierDeps;
  /** Until when everything was carried, but for what is busy. */
  readonly #carriedUntil = new Map<string, number>();
  /** Since when this round's oldest rows have been due, by kind. */
  readonly #dueSince = new Map<ArchiveKind, number>();
  #isWatched = false;
  #loop: BackgroundLoop | undefined;
  #endLag = () => {};

  constructor(options: CarrierOptions, deps: CarrierDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  start(): void {
    const { schema, kinds } = this.#options;
    const { log } = this.#deps;
    for (const { kind } of kinds) {
      onCarried({ kind }, 0);
      onFailed({ kind }, 0);
    }
    this.#endLag = lag(() =>
      kinds.map(({ kind }) => ({ labels: { part: schema, kind }, value: this.#lagMs(kind) / 1_000 })),
    );
    const work = (signal: AbortSignal) => this.run(signal).then(() => "idle" as const);
    this.#loop = startLoop({ name: "copying to the archive", everyMs, backoffMaxMs, log, work });
  }

  async stop(): Promise<void> {
    this.#endLag();
    await this.#loop?.stop();
  }

  /** Carries what is due, a batch of each application in turns; rejects at the end when a batch failed. */
  async run(signal: AbortSignal = new AbortController().signal): Promise<void> {
    const { relayDatabase } = this.#deps;
    if (!this.#isWatched) await relayDatabase.query({ text: `SELECT ${this.#options.schema}.watch_archived()` });
    this.#isWatched = true;
    const failures: unknown[] = [];
    const tasks = await this.#due();
    for (let task = tasks.shift(); task !== undefined && !signal.aborted; task = tasks.shift()) {
      try {
        if (await this.#carryNext(task, signal)) tasks.push(task);
      } catch (error) {
        // The next round tries it again.
        onFailed({ kind: task.kind });
        failures.push(withoutStatement(error));
      }
      await requestLoad.yieldToRequests(yieldMs);
    }
    if (failures.length > 0) throw failures[0];
  }

  /** For how long the oldest rows have been due that are in no batch; only looks. */
  async lagMs(): Promise<number> {
    for (const task of await this.#due()) await this.#next(task);
    return Math.max(...this.#options.kinds.map(({ kind }) => this.#lagMs(kind)));
  }

  /** By what this round has found. */
  #lagMs(kind: ArchiveKind): number {
    const now = this.#deps.clock.now().getTime();
    return now - (this.#dueSince.get(kind) ?? now);
  }

  /** Times before it are carried: whole days, so that a day's rows are in few batches. */
  get #horizon(): number {
    const { clock, source } = this.#deps;
    return (Math.floor(clock.now().getTime() / dayMs) - source.config.ARCHIVE_AFTER_DAYS) * dayMs;
  }

  async #next({ from, ...task }: Task): Promise<Interval | undefined> {
    const { database, source } = this.#deps;
    const { ARCHIVE_AFTER_DAYS: days, ARCHIVE_BATCH_ROWS: batchRows } = source.config;
    const interval = await nextInterval(database, { ...task, batchRows }, { from, to: this.#horizon });
    if (interval === undefined) return undefined;
    // Its rows are of the day that it ends with or in, which was over so many days before they were due.
    const dueMs = (Math.ceil(interval.to / dayMs) + days) * dayMs;
    this.#dueSince.set(task.kind, Math.min(dueMs, this.#dueSince.get(task.kind) ?? dueMs));
    return interval;
  }

  /** Who has rows that became due, or batches that were withdrawn or left behind. */
  async #due(): Promise<Task[]> {
    const { schema, kinds } = this.#options;
    const { relayDatabase } = this.#deps;
    const horizon = this.#horizon;
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
      this.#dueSince.delete(kind);
    }
    return tasks;
  }

  /** Whether there may be more of the task. */
  async #carryNext(task: Task, signal: AbortSignal): Promise<boolean> {
    const { applicationId, kind, archived } = task;
    const horizon = this.#horizon;
    if (task.from === 0) await this.#clean(task);
    const interval = await this.#next(task);
    if (interval === undefined) {
      this.#carriedUntil.set(`${kind} ${applicationId}`, horizon);
      return false;
    }
    task.from = interval.to;
    const batch = await openBatch(this.#deps.database, task, interval);
    if (batch !== undefined) await this.#carry(batch, archived, signal);
    return true;
  }

  async #carry(batch: Batch, { tables }: ArchivedKind, signal: AbortSignal): Promise<void> {
    const { database, source, log } = this.#deps;
    try {
      await waitForEarlier(database, batch, signal);
      const checks = await copyBatch(source, tables, batch);
      await assertArchived(this.#deps, tables, { ...batch, checks });
      const published = await publishBatch(database, batch, checks);
      if (published === undefined) return;
      const { kind, number, rows } = published;
      onCarried({ kind }, rows);
      this.#options.onCarried?.(published);
      log.info({ kind, batch: number, rows }, "copied a batch to the archive");
    } catch (error) {
      await withdrawBatches(database, batch, "b.state = 'open' AND b.number = $3", batch.number);
      throw error;
    }
  }

  /** Gives up what other processes left behind, and deletes the rows of what was withdrawn long enough ago. */
  async #clean(task: Task): Promise<void> {
    const { database, source } = this.#deps;
    await withdrawBatches(database, task, abandoned, source.config.ARCHIVE_AFTER_DAYS);
    const numbers = (await findBatches(database, task, unread)).map(({ number }) => number);
    if (numbers.length === 0) return;
    for (const table of task.archived.tables) await deleteRows(source, table, task.applicationId, { numbers });
    await forgetBatches(database, task, numbers);
  }
}
