// Queues: table rows that workers of many processes claim under a lease by the database's clock. If a worker dies, its
// lease expires and another worker claims the job. The table has application_id and a key; the definition names the
// other columns.

import type { RelayDatabase, RelayStatement } from "../relay-database.ts";
import { watchQueue } from "./state.ts";
import { changeLeased, claimInTurns, claimOldest, type QueueTable, renewLeases } from "./statements.ts";

/** Defaults: the key is `id`, the due time `next_attempt_at`, and jobs without a due time have ended. */
export interface QueueDefinition<Row extends object, Key extends string>
  extends Omit<QueueTable, "key" | "columns" | "due" | "lease" | "where">,
    Partial<Pick<QueueTable, "due" | "where">> {
  readonly key?: Readonly<Record<Key, "uuid" | "text">>;
  readonly columns: readonly (keyof Row & string)[];
  /** Lease column. Default: the due time if the definition has one, otherwise `leased_until`. */
  readonly lease?: string;
  /** `applications`: rotate among applications. `oldest`: oldest due job first. */
  readonly fairness: "applications" | "oldest";
}

export type Leased<Key extends string = "id"> = Readonly<Record<"applicationId" | Key, string>> & {
  /** End of the lease. It is also its token, because each claim of the row writes a different value. */
  readonly leasedUntil: Date;
};

export interface ClaimQuery {
  /** Lane to claim from, if the queue has lanes. */
  readonly lane?: boolean | string;
  /** Current time of the process's clock; by default PostgreSQL's. */
  readonly now?: Date;
  readonly leaseMs: number;
  readonly rowsMax: number;
  /** For `applications`: maximum rows of an application in one claim; by default `rowsMax`. */
  readonly perApplicationMax?: number;
  /** Number of running jobs of this worker by application: applications with fewer come first. */
  readonly running?: ReadonlyMap<string, number>;
  /** Applications to exclude. */
  readonly blocked?: readonly string[];
  /**
   * Last application of the previous claim: among equal applications, those after it come first. By default, those with
   * the oldest due jobs come first.
   */
  readonly after?: string;
}

/** Defines a queue. `Row` is the type of `columns`. */
export function defineQueue<Row extends object, Key extends string = "id">(definition: QueueDefinition<Row, Key>) {
  const { key = { id: "uuid" }, due = "next_attempt_at", where = `${due} IS NOT NULL`, fairness } = definition;
  const table = { ...definition, key, due, lease: definition.lease ?? definition.due ?? "leased_until", where };
  const text = fairness === "applications" ? claimInTurns(table) : claimOldest(table);
  /** Builds the statement of a claim, to be sent in a batch with others. */
  const claimStatement = ({ lane, now, leaseMs, rowsMax, ...query }: ClaimQuery): RelayStatement => {
    const values: unknown[] = [now ?? null, leaseMs, rowsMax];
    if (fairness === "applications") {
      const { perApplicationMax = rowsMax, running = new Map(), blocked = [], after = null } = query;
      values.push(perApplicationMax, [...running.keys()], [...running.values()], [...blocked], after);
    }
    return { name: `claim ${table.name}`, text, values: table.lane === undefined ? values : [...values, lane] };
  };
  /** Gives access to the queue's jobs in a database. */
  const on = (relayDatabase: RelayDatabase) => jobsOn<Row, Key>(relayDatabase, table, claimStatement);
  return { ...watchQueue(table), on, claimStatement };
}

export type QueueJobs<Row extends object, Key extends string = "id"> = ReturnType<typeof jobsOn<Row, Key>>;

function jobsOn<Row extends object, Key extends string>(
  relayDatabase: RelayDatabase,
  table: QueueTable,
  claimStatement: (query: ClaimQuery) => RelayStatement,
) {
  // The cast is safe: each property is one of `Key`.
  const properties = ["applicationId", ...Object.keys(table.key), "leasedUntil"] as (keyof Leased<Key>)[];
  const buildValues = (leased: readonly Leased<Key>[]) => properties.map((name) => leased.map((job) => job[name]));
  return {
    /** Claims due jobs. */
    async claim(query: ClaimQuery): Promise<(Leased<Key> & Row)[]> {
      return query.rowsMax <= 0 ? [] : relayDatabase.query<Leased<Key> & Row>(claimStatement(query));
    },

    /** Renews leases; returns those that are still valid, with their new tokens. */
    async renew(leased: readonly Leased<Key>[], leaseMs: number): Promise<Leased<Key>[]> {
      if (leased.length === 0) return [];
      const values = [leaseMs, ...buildValues(leased)];
      return relayDatabase.query<Leased<Key>>({ name: `renew ${table.name}`, text: renewLeases(table), values });
    },

    /**
     * Changes jobs whose lease is still valid. `set` is SQL over the row `j` and `values`: the n-th value is an array
     * with an element per job, read as `v.c<n>`. Returns the number of changed jobs.
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
        values: [...buildValues(leased), ...values.map(({ of }) => [...of])],
      });
    },
  };
}
