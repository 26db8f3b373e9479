// Queues: rows of a table that workers of many processes claim under a lease by the database's clock. When a worker dies its lease
// ends, and another claims the job. The table has application_id and a key; its definition names the rest.

import type { RelayDatabase, RelayStatement } from "../relay-database.ts";
import { watchQueue } from "./state.ts";
import { changeLeased, claimInTurns, claimOldest, type QueueTable, renewLeases } from "./statements.ts";

/** When absent, the key is `id`, the due time `next_attempt_at`, and jobs that have one have not ended. */
export interface QueueDefinition<Row extends object, Key extends string>
  extends Omit<QueueTable, "key" | "columns" | "due" | "lease" | "where">,
    Partial<Pick<QueueTable, "due" | "where">> {
  readonly key?: Readonly<Record<Key, "uuid" | "text">>;
  readonly columns: readonly (keyof Row & string)[];
  /** The due time when absent and a due time is named, else `leased_until`. */
  readonly lease?: string;
  /** In turns between applications, or the job that is due longest first. */
  readonly fairness: "applications" | "oldest";
}

export type Leased<Key extends string = "id"> = Readonly<Record<"applicationId" | Key, string>> & {
  /** The end of the lease, and its token: another claim of the row writes another value. */
  readonly leasedUntil: Date;
};

export interface ClaimQuery {
  /** The value of the queue's lane, if it has one. */
  readonly lane?: boolean | string;
  /** When jobs are due by the process's clock; PostgreSQL's when absent. */
  readonly now?: Date;
  readonly leaseMs: number;
  readonly rowsMax: number;
  /** With the fairness `applications`, the most rows of an application in one claim; `rowsMax` when absent. */
  readonly perApplicationMax?: number;
  /** How many jobs of an application the worker has: applications with fewer come first. */
  readonly running?: ReadonlyMap<string, number>;
  /** Applications that are left out. */
  readonly blocked?: readonly string[];
  /** The last application of the previous claim: those behind it come first among equals. When absent, those due longest do. */
  readonly after?: string;
}

/** Defines a queue. `Row` is what `columns` reads. */
export function defineQueue<Row extends object, Key extends string = "id">(definition: QueueDefinition<Row, Key>) {
  const { key = { id: "uuid" }, due = "next_attempt_at", where = `${due} IS NOT NULL`, fairness } = definition;
  const table = { ...definition, key, due, lease: definition.lease ?? definition.due ?? "leased_until", where };
  const text = fairness === "applications" ? claimInTurns(table) : claimOldest(table);
  /** The statement of a claim, to be sent in a batch with others. */
  const claimStatement = ({ lane, now, leaseMs, rowsMax, ...query }: ClaimQuery): RelayStatement => {
    const values: unknown[] = [now ?? null, leaseMs, rowsMax];
    if (fairness === "applications") {
      const { perApplicationMax = rowsMax, running = new Map(), blocked = [], after = null } = query;
      values.push(perApplicationMax, [...running.keys()], [...running.values()], [...blocked], after);
    }
    return { name: `claim ${table.name}`, text, values: table.lane === undefined ? values : [...values, lane] };
  };
  /** The queue's jobs in a database. */
  const on = (relayDatabase: RelayDatabase) => jobsOn<Row, Key>(relayDatabase, table, claimStatement);
  return { ...watchQueue(table), on, claimStatement };
}

export type QueueJobs<Row extends object, Key extends string = "id"> = ReturnType<typeof jobsOn<Row, Key>>;

function jobsOn<Row extends object, Key extends string>(
  relayDatabase: RelayDatabase,
  table: QueueTable,
  claimStatement: (query: ClaimQuery) => RelayStatement,
) {
  // Each property is one of `Key`.
  const properties = ["applicationId", ...Object.keys(table.key), "leasedUntil"] as (keyof Leased<Key>)[];
  const valuesOf = (leased: readonly Leased<Key>[]) => properties.map((name) => leased.map((job) => job[name]));
  return {
    /** Claims due jobs. */
    async claim(query: ClaimQuery): Promise<(Leased<Key> & Row)[]> {
      return query.rowsMax <= 0 ? [] : relayDatabase.query<Leased<Key> & Row>(claimStatement(query));
    },

    /** Renews leases; answers those that still hold, with their new tokens. */
    async renew(leased: readonly Leased<Key>[], leaseMs: number): Promise<Leased<Key>[]> {
      if (leased.length === 0) return [];
      const values = [leaseMs, ...valuesOf(leased)];
      return relayDatabase.query<Leased<Key>>({ name: `renew ${table.name}`, text: renewLeases(table), values });
    },

    /**
     * Changes jobs whose lease still holds: `set` is SQL over the row `j` and values, the n-th of which is an array with a value
     * for each job, read as `v.c<n>`. Answers how many were changed.
     */
    async change(
      name: string,
      leased: readonly Leased<Key>[],
      set: string,
      values: readonly { readonly type: string; readonly of: readonly unknown[] }[] = [],
    ): Promise<number> {
      if (leased.length === 0) return 0;
      const types = values.map(({ type }) => type);
      return relayDatabase.change({
        name: `${name} ${table.name}`,
        text: changeLeased(table, set, types),
        values: [...valuesOf(leased), ...values.map(({ of }) => [...of])],
      });
    },
  };
}
