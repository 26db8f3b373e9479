// Erasures in the archive: batches with rows to erase are restored first, then their copies in ClickHouse are deleted.

import { monotonicMs } from "@ems/kit/clock";
import type { Transaction } from "@ems/kit/db/transaction";
import { backgroundCall } from "@ems/kit/rpc/call";
import type { Tenant } from "@ems/kit/tenant";
import { archiveUnavailable } from "./archive.ts";
import { findBatches } from "./batches.ts";
import { deleteRows, type Source } from "./copy.ts";
import type { ArchiveOptions } from "./kind.ts";
import { restoreBatch } from "./restore.ts";
import type { Stores } from "./stores.ts";
import type { ArchiveKind } from "./types.ts";

export interface ErasingDeps {
  readonly stores: Stores;
  /** ClickHouse access; undefined if no archive is configured. Archived rows are then unreachable. */
  readonly source: Source | undefined;
}

type Owner = Pick<Tenant, "applicationId" | "orgId">;
/** Rows to erase: those with one of `ids` in the column. */
export type Found = readonly [kind: ArchiveKind, table: string, column: string, ids: readonly string[]];

const timeoutMs = 30_000;
const isWithdrawn = "b.state IN ('withdrawn', 'restored')";
/** True once no report reads the copies: one that began before the restore ends within a minute. */
const isUnread = "b.changed_at <= now() - interval '1 minute'";

export class Erasing {
  readonly #deps: ErasingDeps;
  readonly #options: ArchiveOptions;
  readonly #purged = new Set<string>();

  constructor(deps: ErasingDeps, options: ArchiveOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  /**
   * Restores the batches of all rows that `find` returns, and calls it again until it returns none. Then returns the
   * archive's state, or null without batches. Batches restored before `signal` aborts stay restored.
   */
  async restore(owner: Owner, find: () => Promise<readonly Found[]>, signal?: AbortSignal): Promise<string | null> {
    for (;;) {
      const state = await this.#database.withScope(owner, monotonicMs() + timeoutMs, (tx) =>
        this.#readState(tx, owner.applicationId),
      );
      if (state === null) return null;
      let isMore = false;
      for (const found of await find()) isMore = (await this.#restoreFound(owner, found, signal)) || isMore;
      if (!isMore) return state;
    }
  }

  /** Throws if anything was archived since `restore`. Must be the last statement of the transaction. */
  async assertState(tx: Transaction, applicationId: string, state: string | null): Promise<void> {
    if ((await this.#readState(tx, applicationId)) !== state)
      throw new Error("rows were archived during the erasure; it will be retried");
  }

  /** Deletes ClickHouse's copies of restored batches; returns true if none are left. */
  async purge({ applicationId }: Pick<Owner, "applicationId">): Promise<boolean> {
    const { schema, kinds } = this.#options;
    let isAll = true;
    for (const { kind, tables } of kinds) {
      const find = (condition: string) => findBatches(this.#database, { schema, applicationId, kind }, condition);
      const all = await find(isWithdrawn);
      const unread = (await find(`${isWithdrawn} AND ${isUnread}`)).map(({ number }) => number);
      const numbers = unread.filter((number) => !this.#purged.has(`${applicationId} ${kind} ${number}`));
      if (numbers.length > 0) {
        for (const table of tables) await deleteRows(this.#source, table, applicationId, { numbers });
      }
      for (const number of numbers) this.#purged.add(`${applicationId} ${kind} ${number}`);
      if (all.length > unread.length) isAll = false;
    }
    return isAll;
  }

  get #database() {
    return this.#deps.stores.database;
  }

  get #source(): Source {
    const { source } = this.#deps;
    if (source === undefined) throw archiveUnavailable(new Error("CLICKHOUSE_URL is not set"));
    return source;
  }

  async #restoreFound(owner: Owner, [kind, table, column, ids]: Found, signal?: AbortSignal): Promise<boolean> {
    const { stores } = this.#deps;
    if (ids.length === 0 || !stores.hasArchive) return false;
    const call = backgroundCall(owner, timeoutMs);
    const { archivedRanges } = await stores.read(call, [kind], []);
    const text = `SELECT DISTINCT s.batch AS number FROM ${table} s WHERE s.${column} IN {ids:Array(UUID)}`;
    const batches = await stores.query<{ number: number }>(call, { [table]: archivedRanges[kind] }, text, { ids });
    for (const { number } of batches) {
      signal?.throwIfAborted();
      await restoreBatch({ database: this.#database, source: this.#source }, this.#options, owner, kind, number);
    }
    return batches.length > 0;
  }

  async #readState(tx: Transaction, applicationId: string): Promise<string | null> {
    const text = `SELECT md5(string_agg(concat_ws(' ', b.kind, b.number, b.state), ',' ORDER BY b.kind, b.number)) AS state
      FROM ${this.#options.schema}.archive_batch b WHERE b.application_id = $1 AND b.state <> 'open'`;
    const [row] = await tx.query<{ state: string | null }>(text, [applicationId]);
    return row?.state ?? null;
  }
}
