// Rows that are in the archive alone, for whoever has to count or change them: they come back first.

import {
  type ArchiveKind,
  archiveUnavailable,
  deleteRows,
  findBatches,
  type Source,
  type Stores,
} from "@ems/kit/archive";
import { monotonicMs } from "@ems/kit/clock";
import type { Transaction } from "@ems/kit/db/transaction";
import { backgroundCall } from "@ems/kit/rpc/call";
import type { Tenant } from "@ems/kit/tenant";
import { experimentsArchive } from "./kinds.ts";
import { restoreBatch } from "./restore.ts";

export interface DroppedRowsDeps {
  readonly stores: Stores;
  /** Undefined where no archive is configured: what was dropped is out of reach then. */
  readonly source: Source | undefined;
}

type Owner = Pick<Tenant, "applicationId" | "orgId">;
/** What the rows have in common. */
export type Found = readonly [kind: ArchiveKind, table: string, column: string, ids: readonly string[]];

const timeoutMs = 30_000;
const isWithdrawn = "b.state IN ('withdrawn', 'restored')";
/** How long a report may take that began before a batch was withdrawn. */
const isUnread = "b.changed_at <= now() - interval '1 minute'";

const stateOf = `SELECT md5(string_agg(concat_ws(' ', b.kind, b.number, b.state), ',' ORDER BY b.kind, b.number)) AS state
  FROM experiments.archive_batch b WHERE b.application_id = $1 AND b.state NOT IN ('open', 'published')`;

export class DroppedRows {
  readonly #deps: DroppedRowsDeps;
  readonly #purged = new Set<string>();

  constructor(deps: DroppedRowsDeps) {
    this.#deps = deps;
  }

  /**
   * Restores the batches of all rows that `find` names, until there are none: it is asked again when one came back. Answers the state
   * for which that is so, null without batches. What was restored when `signal` ends it stays.
   */
  async bringBack(owner: Owner, find: () => Promise<readonly Found[]>, signal?: AbortSignal): Promise<string | null> {
    for (;;) {
      const state = await this.#database.withScope(owner, monotonicMs() + timeoutMs, (tx) => readState(tx, owner));
      if (state === null) return null;
      let isMore = false;
      for (const found of await find()) isMore = (await this.#restore(owner, found, signal)) || isMore;
      if (!isMore) return state;
    }
  }

  /** Last in a transaction that relies on it that nothing was dropped since `bringBack`. */
  async assertState(tx: Transaction, applicationId: string, state: string | null): Promise<void> {
    if ((await readState(tx, { applicationId })) !== state)
      throw new Error("rows were archived meanwhile: the erasure is tried again");
  }

  /** Deletes what ClickHouse has of withdrawn batches; answers whether that was all. */
  async purge({ applicationId }: Pick<Owner, "applicationId">): Promise<boolean> {
    let isAll = true;
    for (const { kind, tables } of experimentsArchive) {
      const find = (condition: string) =>
        findBatches(this.#database, { schema: "experiments", applicationId, kind }, condition);
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

  async #restore(owner: Owner, [kind, table, column, ids]: Found, signal?: AbortSignal): Promise<boolean> {
    if (ids.length === 0) return false;
    const call = backgroundCall(owner, timeoutMs);
    const text = `SELECT DISTINCT s.batch AS number FROM ${table} s WHERE s.${column} IN {ids:Array(UUID)}`;
    const batches = await this.#deps.stores.queryDropped<{ number: number }>(call, kind, text, { ids });
    for (const { number } of batches) {
      signal?.throwIfAborted();
      await restoreBatch({ database: this.#database, source: this.#source }, owner, kind, number);
    }
    return batches.length > 0;
  }
}

async function readState(tx: Transaction, { applicationId }: Pick<Owner, "applicationId">): Promise<string | null> {
  const [row] = await tx.query<{ state: string | null }>(stateOf, [applicationId]);
  return row?.state ?? null;
}
