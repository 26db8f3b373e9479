// Deletes rows past their retention. One process at a time deletes a kind, under a lease in the database; another one
// continues an unfinished deletion. The limit between visible and deleted rows never moves back.

import { type BackgroundLoop, startLoop } from "../background.ts";
import type { Clock } from "../clock.ts";
import { isLockTimeout } from "../db/errors.ts";
import type { RelayDatabase } from "../db/relay-database.ts";
import { requestLoad } from "../limits/request-load.ts";
import type { Logger } from "../log.ts";
import { counter, gauge } from "../telemetry/metrics.ts";
import { keptSince, lagMs, type Retained } from "./kinds.ts";

export interface RetentionDeps {
  readonly relayDatabase: RelayDatabase;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface RetentionOptions<Kind extends string> {
  /** Schema that contains the tables of the migration `createRetention`. */
  readonly schema: string;
  readonly kinds: readonly Retained<Kind>[];
  /** Runs once, after the days are stored and before anything is deleted: hides expired rows. */
  readonly prepare?: () => Promise<void>;
}

const everyMs = 60_000;
const firstAfterMs = 1_000;
/** Length of a lease, which is longer than the duration of a batch. */
const lease = "interval '2 minutes'";
/** Maximum time, in milliseconds, that consecutive requests delay a batch. */
const yieldMs = 100;

const onDeleted = counter({
  name: "ems_retention_deleted_total",
  help: "Rows deleted after their retention, by kind.",
  labels: ["kind"],
});

const lag = gauge({
  name: "ems_retention_lag_seconds",
  help: "Age of the oldest expired rows that are not deleted yet, by service and kind; 0 when there are none.",
  labels: ["part", "kind"],
});

interface State {
  readonly kind: string;
  /** Deletion of rows before this time, in milliseconds, has begun; null if nothing was deleted. */
  readonly beganBefore: number | null;
  readonly clearedBefore: number | null;
}

export class Retention<Kind extends string = string> {
  readonly #schema: string;
  readonly #kinds: readonly Retained<Kind>[];
  readonly #prepare: (() => Promise<void>) | undefined;
  readonly #deps: RetentionDeps;
  readonly #states = new Map<string, State>();
  #isPrepared = false;
  #loop: BackgroundLoop | undefined;
  #startedAt = new Date(0);
  #endLag = () => {};

  constructor({ schema, kinds, prepare }: RetentionOptions<Kind>, deps: RetentionDeps) {
    this.#schema = schema;
    this.#kinds = kinds;
    this.#prepare = prepare;
    this.#deps = deps;
  }

  start(): void {
    this.#startedAt = this.#deps.clock.now();
    this.#endLag = lag(() => this.#lags());
    // Start each series at 0: a rate misses the first count of a series that begins with it.
    for (const { kind, days } of this.#kinds) if (days !== undefined) onDeleted({ kind }, 0);
    this.#loop = startLoop({
      name: "retention",
      everyMs,
      firstAfterMs,
      log: this.#deps.log,
      work: async (signal) => this.run(signal).then(() => "idle"),
    });
  }

  async stop(): Promise<void> {
    this.#endLag();
    await this.#loop?.stop();
  }

  /** Returns the retention of the kind in days; undefined if unlimited. */
  getDays(kind: Kind): number | undefined {
    return this.#kinds.find((each) => each.kind === kind)?.days;
  }

  /** Returns the start of the kind's retention period; undefined if everything is stored. */
  since(kind: Kind): Date | undefined {
    const days = this.getDays(kind);
    const byDays = days === undefined ? Number.NEGATIVE_INFINITY : keptSince(this.#deps.clock.now(), days).getTime();
    const since = Math.max(byDays, this.#states.get(kind)?.beganBefore ?? Number.NEGATIVE_INFINITY);
    return Number.isFinite(since) ? new Date(since) : undefined;
  }

  /** Returns true if all expired rows were deleted, so that counts and sums contain only visible rows. */
  isCleared(kind: Kind): boolean {
    const since = this.since(kind);
    return (
      since === undefined || (this.#states.get(kind)?.clearedBefore ?? Number.NEGATIVE_INFINITY) >= since.getTime()
    );
  }

  /** Returns the lag of each kind; empty until the states are known. */
  #lags() {
    return this.#kinds.flatMap(({ kind, days }) => {
      const state = this.#states.get(kind);
      if (days === undefined || state === undefined) return [];
      const { clearedBefore } = state;
      const now = this.#deps.clock.now();
      const waits = this.isCleared(kind) ? 0 : lagMs({ now, days, clearedBefore, startedAt: this.#startedAt });
      return [{ labels: { part: this.#schema, kind }, value: waits / 1_000 }];
    });
  }

  /** Deletes all rows that are due. */
  async run(signal: AbortSignal = new AbortController().signal): Promise<void> {
    if (!this.#isPrepared) {
      await this.#storeDays();
      if (this.#kinds.some(({ days }) => days !== undefined)) await this.#prepare?.();
      this.#isPrepared = true;
    }
    await this.#load();
    const failures: unknown[] = [];
    for (const kind of this.#kinds) {
      if (!signal.aborted) await this.#clear(kind, signal).catch((error: unknown) => failures.push(error));
    }
    await this.#load();
    if (failures.length > 0) throw failures[0];
  }

  async #storeDays(): Promise<void> {
    const table = `${this.#schema}.retention`;
    await this.#deps.relayDatabase.change({
      text: `WITH setting AS (SELECT * FROM unnest($1::text[], $2::integer[]) AS s (kind, days)),
          unset AS (UPDATE ${table} r SET days = NULL FROM setting s WHERE r.kind = s.kind AND s.days IS NULL)
        INSERT INTO ${table} (kind, days) SELECT kind, days FROM setting WHERE days IS NOT NULL
        ON CONFLICT (kind) DO UPDATE SET days = excluded.days`,
      values: [this.#kinds.map(({ kind }) => kind), this.#kinds.map(({ days }) => days ?? null)],
    });
  }

  async #load(): Promise<void> {
    const ms = (column: string) => `extract(epoch FROM nullif(${column}, '-infinity'))::float8 * 1000`;
    const states = await this.#deps.relayDatabase.query<State>({
      text: `SELECT kind, ${ms("began_before")} AS "beganBefore", ${ms("cleared_before")} AS "clearedBefore"
        FROM ${this.#schema}.retention`,
    });
    for (const state of states) this.#states.set(state.kind, state);
  }

  async #clear({ kind, days, clear }: Retained, signal: AbortSignal): Promise<void> {
    const { relayDatabase, clock, log } = this.#deps;
    const table = `${this.#schema}.retention`;
    if (days === undefined) return;
    // Completes an unfinished deletion, even if the process that began it had a shorter retention.
    const text = `UPDATE ${table} SET leased_until = now() + ${lease}, began_before = greatest(began_before, $2)
      WHERE kind = $1 AND leased_until < now() AND cleared_before < greatest(began_before, $2)
      RETURNING began_before AS before`;
    const [claimed] = await relayDatabase.query<{ before: Date }>({
      text,
      values: [kind, keptSince(clock.now(), days)],
    });
    if (claimed === undefined) return;
    let all = 0;
    try {
      await clear(claimed.before, async (rows) => {
        all += rows;
        onDeleted({ kind }, rows);
        await relayDatabase.change({
          text: `UPDATE ${table} SET leased_until = now() + ${lease}, deleted = deleted + $2 WHERE kind = $1`,
          values: [kind, rows],
        });
        signal.throwIfAborted();
        await requestLoad.yieldToRequests(yieldMs);
      });
      await relayDatabase.change({
        text: `UPDATE ${table} SET cleared_before = $2 WHERE kind = $1`,
        values: [kind, claimed.before],
      });
    } catch (error) {
      if (isLockTimeout(error)) log.info({ kind }, "retention continues later: a table is in use");
      else if (!signal.aborted) throw error;
    } finally {
      if (all > 0) log.info({ kind, before: claimed.before, deleted: all }, "deleted expired rows");
      await relayDatabase.change({ text: `UPDATE ${table} SET leased_until = now() WHERE kind = $1`, values: [kind] });
    }
  }
}
