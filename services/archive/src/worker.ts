// Moves old rows to the archive, a batch of one application at a time: copied, compared, then deleted from PostgreSQL. Any number of
// processes do it: batches are reserved before they are written; stale reservations are released by any process.

import { type BackgroundLoop, startLoop } from "@ems/kit/background";
import { type Clock, monotonicMs } from "@ems/kit/clock";
import type { Database } from "@ems/kit/db/database";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import { requestLoad } from "@ems/kit/limits/request-load";
import type { Logger } from "@ems/kit/log";
import { applicationsWith } from "@ems/kit/retention";
import { counter, gauge } from "@ems/kit/telemetry/metrics";
import {
  abandoned,
  type Batch,
  batchesBecome,
  findBatches,
  forgetBatches,
  openBatch,
  type Place,
  unread,
  withdrawBatches,
} from "./batches.ts";
import { withoutStatement } from "./client.ts";
import { type CopySource, copyBatch, deleteRows } from "./copy.ts";
import { nextInterval } from "./interval.ts";
import { type ArchivedKind, type ArchiveOptions, countedTables } from "./kind.ts";
import type { ArchiveKind, Interval } from "./types.ts";
import { ArchiveMismatch, assertArchived } from "./verify.ts";
import { readVersions, type Versions } from "./versions.ts";

export interface ArchiveWorkerDeps {
  readonly source: CopySource;
  readonly database: Database;
  readonly relayDatabase: RelayDatabase;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Work of a round: one application's rows of a kind. Rows before `from` were already examined. */
interface Task extends Place {
  readonly archived: ArchivedKind;
  from: number;
}

const everyMs = 60_000;
const backoffMaxMs = 600_000;
const evictMs = 600_000;
const yieldMs = 100;
const dayMs = 86_400_000;

const onArchived = counter({
  name: "ems_archive_rows_total",
  help: "Rows moved to the archive, by kind.",
  labels: ["kind"],
});
const onFailed = counter({
  name: "ems_archive_failures_total",
  help: "Batches that failed to move to the archive, by kind.",
  labels: ["kind"],
});
const lag = gauge({
  name: "ems_archive_lag_seconds",
  help: "Age of the oldest due rows that are not archived yet, by service and kind; 0 when there are none.",
  labels: ["part", "kind"],
});

export class ArchiveWorker {
  readonly #options: ArchiveOptions;
  readonly #deps: ArchiveWorkerDeps;
  readonly #onMoved: (batch: Batch) => void;
  /** Time up to which all rows except busy ones are archived, by kind and application. */
  readonly #archivedUntil = new Map<string, number>();
  /** Time since when the oldest unarchived rows that this round found have been due, by kind. */
  readonly #dueSince = new Map<ArchiveKind, number>();
  #loop: BackgroundLoop | undefined;
  #endLag = () => {};

  constructor(options: ArchiveOptions, deps: ArchiveWorkerDeps, onMoved: (batch: Batch) => void = () => undefined) {
    this.#options = options;
    this.#deps = deps;
    this.#onMoved = onMoved;
  }

  start(): void {
    const { schema, kinds } = this.#options;
    const { log } = this.#deps;
    for (const { kind } of kinds) {
      onArchived({ kind }, 0);
      onFailed({ kind }, 0);
    }
    this.#endLag = lag(() =>
      kinds.map(({ kind }) => ({ labels: { part: schema, kind }, value: this.#lagMs(kind) / 1_000 })),
    );
    const work = (signal: AbortSignal) => this.run(signal).then(() => "idle" as const);
    this.#loop = startLoop({ name: "archiving", everyMs, backoffMaxMs, log, work });
  }

  async stop(): Promise<void> {
    this.#endLag();
    await this.#loop?.stop();
  }

  /** Archives all due batches, alternating between applications; rejects at the end if a batch failed. */
  async run(signal: AbortSignal = new AbortController().signal): Promise<void> {
    const failures: unknown[] = [];
    const moved = new Set<ArchiveKind>();
    const tasks = await this.#due();
    for (let task = tasks.shift(); task !== undefined && !signal.aborted; task = tasks.shift()) {
      try {
        const result = await this.#archiveNext(task);
        if (result !== "done") tasks.push(task);
        if (result === "moved") moved.add(task.kind);
      } catch (error) {
        // The next round retries the batch.
        onFailed({ kind: task.kind });
        failures.push(withoutStatement(error));
      }
      await requestLoad.yieldToRequests(yieldMs);
    }
    for (const kind of moved) await this.#options.onEvicted?.(kind);
    if (failures.length > 0) throw failures[0];
  }

  /** Age of the oldest due rows that are not archived, in milliseconds. Read-only. */
  async lagMs(): Promise<number> {
    for (const task of await this.#due()) await this.#next(task);
    return Math.max(...this.#options.kinds.map(({ kind }) => this.#lagMs(kind)));
  }

  /** Returns the kind's lag, computed from what this round found. */
  #lagMs(kind: ArchiveKind): number {
    const now = this.#deps.clock.now().getTime();
    return now - (this.#dueSince.get(kind) ?? now);
  }

  /** Rows from before this time, the start of a day, are due. A day's rows are therefore in few batches. */
  get #horizon(): number {
    const { clock, source } = this.#deps;
    return (Math.floor(clock.now().getTime() / dayMs) - source.config.ARCHIVE_AFTER_DAYS) * dayMs;
  }

  async #next({ from, ...task }: Task): Promise<Interval | undefined> {
    const { database, source } = this.#deps;
    const { ARCHIVE_AFTER_DAYS: days, ARCHIVE_BATCH_ROWS: batchRows } = source.config;
    const interval = await nextInterval(database, { ...task, batchRows }, { from, to: this.#horizon });
    if (interval === undefined) return undefined;
    // An interval ends at or within a UTC day. Its rows become due a whole number of days after that day.
    const dueMs = (Math.ceil(interval.to / dayMs) + days) * dayMs;
    this.#dueSince.set(task.kind, Math.min(dueMs, this.#dueSince.get(task.kind) ?? dueMs));
    return interval;
  }

  /** Applications with rows due for archiving or batches to clean up. */
  async #due(): Promise<Task[]> {
    const { schema, kinds, held } = this.#options;
    const { relayDatabase } = this.#deps;
    const horizon = this.#horizon;
    const unfinished = await relayDatabase.query<{ applicationId: string; kind: ArchiveKind }>({
      text: `SELECT DISTINCT application_id AS "applicationId", kind FROM ${schema}.archive_batch WHERE state <> 'dropped'`,
    });
    const heldNow = new Set((await relayDatabase.query<{ id: string }>({ text: held })).map(({ id }) => id));
    const tasks: Task[] = [];
    for (const archived of kinds) {
      const { kind, root } = archived;
      const due = await applicationsWith(relayDatabase, { table: root, age: "created_at" }, new Date(horizon));
      const unarchived = due.filter((id) => this.#archivedUntil.get(`${kind} ${id}`) !== horizon);
      const withdrawn = unfinished.filter((each) => each.kind === kind).map(({ applicationId }) => applicationId);
      for (const applicationId of new Set([...unarchived, ...withdrawn])) {
        if (!heldNow.has(applicationId)) tasks.push({ schema, applicationId, kind, archived, from: 0 });
      }
      this.#dueSince.delete(kind);
    }
    return tasks;
  }

  async #archiveNext(task: Task): Promise<"moved" | "kept" | "done"> {
    const { applicationId, kind, archived } = task;
    const horizon = this.#horizon;
    if (task.from === 0) await this.#clean(task);
    const interval = await this.#next(task);
    if (interval === undefined) {
      this.#archivedUntil.set(`${kind} ${applicationId}`, horizon);
      return "done";
    }
    task.from = interval.to;
    const batch = await openBatch(this.#deps.database, task, interval);
    return batch !== undefined && (await this.#move(batch, archived)) ? "moved" : "kept";
  }

  /**
   * Copies, compares and evicts a batch; returns false if rows changed in the meantime, so that a later round archives
   * them.
   */
  async #move(batch: Batch, archived: ArchivedKind): Promise<boolean> {
    const { source, log } = this.#deps;
    try {
      const { checks, versions } = await copyBatch(source, archived.tables, batch);
      const copied = { ...batch, checks };
      await assertArchived(this.#deps, archived.tables, copied);
      const evicted = await this.#evict(copied, archived, versions);
      if (evicted === undefined) {
        await this.#withdraw(batch);
        return false;
      }
      const { kind, number, rows } = evicted;
      onArchived({ kind }, rows);
      this.#onMoved(evicted);
      log.info({ kind, batch: number, rows }, "moved a batch to the archive");
      return true;
    } catch (error) {
      await this.#withdraw(batch);
      throw error;
    }
  }

  #withdraw(batch: Batch) {
    return withdrawBatches(this.#deps.database, batch, "b.state = 'open' AND b.number = $3", batch.number);
  }

  /** Deletes the batch's rows from PostgreSQL; undefined if they differ from the copies. */
  async #evict(batch: Batch, archived: ArchivedKind, versions: Versions): Promise<Batch | undefined> {
    const { applicationId, kind, number, checks, from, to } = batch;
    const addUp = (tables: readonly string[]) => tables.reduce((sum, name) => sum + Number(checks[name]?.rows ?? 0), 0);
    const changes = ", rows = $4, checks = $5";
    const become = batchesBecome(batch.schema, "dropped", "b.state = 'open' AND b.number = $3", changes);
    const values = [applicationId, kind, number, addUp(Object.keys(checks)), JSON.stringify(checks)];
    try {
      return await this.#deps.database.withScope({ applicationId }, monotonicMs() + evictMs, async (tx) => {
        const current = await readVersions(tx, archived.tables, batch);
        if (JSON.stringify(current) !== JSON.stringify(versions)) return undefined;
        const evicted = await archived.evict(tx, applicationId, new Date(from), new Date(to));
        // Roll back if rows were added since the copy: they would be deleted too.
        if (evicted !== addUp(countedTables(archived))) throw new ArchiveMismatch(`${evicted} rows of batch ${number}`);
        const [dropped] = await tx.query<Batch>(become, values);
        if (dropped === undefined) throw new ArchiveMismatch(`batch ${number} was withdrawn`);
        return dropped;
      });
    } catch (error) {
      if (error instanceof ArchiveMismatch) return undefined;
      throw error;
    }
  }

  /**
   * Releases batches that other processes abandoned, and deletes the rows of batches that were withdrawn long enough
   * ago.
   */
  async #clean(task: Task): Promise<void> {
    const { database, source } = this.#deps;
    await withdrawBatches(database, task, abandoned, source.config.ARCHIVE_AFTER_DAYS);
    const numbers = (await findBatches(database, task, unread)).map(({ number }) => number);
    if (numbers.length === 0) return;
    for (const table of task.archived.tables) await deleteRows(source, table, task.applicationId, { numbers });
    await forgetBatches(database, task, numbers);
  }
}
