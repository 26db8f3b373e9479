// Leased jobs: rows of a table that workers of many processes claim under a lease by the database's clock. When a worker dies its
// lease ends, and another claims the job. The table has application_id, id or another key, next_attempt_at (null when the job has
// ended), and leased_until.

import { isLeaseOver, leaseEnd, milliseconds } from "./lease.ts";
import type { RelayDatabase } from "./relay-database.ts";

export interface LeasedJobsOptions<Key extends string = "id"> {
  readonly relayDatabase: RelayDatabase;
  /** `schema.table`. */
  readonly table: string;
  /**
   * A boolean column that jobs are claimed by apart, first in the index of due jobs, before application_id and next_attempt_at.
   * Absent: there is one lane.
   */
  readonly lane?: string;
  /** The columns that tell the jobs of an application apart, and their properties; `id` when absent. */
  readonly key?: readonly KeyColumn<Key>[];
  /** What a claim reads beside the key and the lease, as SQL with names of its properties. */
  readonly columns: string;
  /** What a claim changes beside the lease, as SQL: `attempts = attempts + 1` counts attempts that a process dies of. */
  readonly onClaim?: string;
}

export interface KeyColumn<Key extends string> {
  readonly column: string;
  readonly property: Key;
  readonly type: "uuid" | "text";
}

export type Leased<Key extends string = "id"> = Readonly<Record<"applicationId" | Key, string>> & {
  /** The end of the lease, and its token: whoever claims the row meanwhile writes another value. */
  readonly leasedUntil: Date;
};

export interface ClaimQuery {
  /** False where there is one lane. */
  readonly lane?: boolean;
  readonly now: Date;
  readonly leaseMs: number;
  readonly rowsMax: number;
  /** The most rows of an application in one claim. */
  readonly perApplicationMax: number;
  /** How many jobs of an application the worker has: whoever has fewest comes first. */
  readonly running: ReadonlyMap<string, number>;
  /** Applications that are left out. */
  readonly blocked: readonly string[];
  /** The last application of the claim before: those behind it come first among equals. */
  readonly after: string;
}

/** Before every application's id: where the first claim begins. */
export const firstApplication = "00000000-0000-0000-0000-000000000000";

/** The most applications that a claim visits. */
const applicationsMax = 1_000;

interface Table {
  readonly table: string;
  readonly lane: string;
  readonly key: readonly KeyColumn<string>[];
  readonly columns: string;
  readonly onClaim: string | undefined;
}

/**
 * Loose index scan over applications: the length of one queue costs the others nothing. Rows are updated by ctid, since a
 * generic plan would scan the table to find a few ids.
 */
function claimText({ table, lane, key, columns, onClaim }: Table): string {
  const due = "next_attempt_at IS NOT NULL";
  return `WITH RECURSIVE app AS (
      (SELECT application_id, 1 AS nth FROM ${table} WHERE ${lane} = $1 AND ${due} ORDER BY application_id LIMIT 1)
      UNION ALL
      SELECT next.application_id, app.nth + 1 FROM app CROSS JOIN LATERAL (
        SELECT application_id FROM ${table}
        WHERE ${lane} = $1 AND ${due} AND application_id > app.application_id ORDER BY application_id LIMIT 1) next
      WHERE app.nth < ${applicationsMax}
    ), found AS MATERIALIZED (
      SELECT app.application_id, found.row, found.next_attempt_at FROM app CROSS JOIN LATERAL (
        SELECT j.ctid AS row, j.next_attempt_at FROM ${table} j
        WHERE ${lane} = $1 AND j.application_id = app.application_id AND j.next_attempt_at <= $2
          AND ${isLeaseOver("j.leased_until", milliseconds("$3"))}
        ORDER BY j.next_attempt_at LIMIT $5 FOR UPDATE SKIP LOCKED) found
      WHERE app.application_id <> ALL ($8::uuid[])
    ), picked AS MATERIALIZED (
      SELECT ranked.row FROM (
        SELECT found.row, found.application_id, coalesce(own.running, 0)
          + row_number() OVER (PARTITION BY found.application_id ORDER BY found.next_attempt_at) AS turn
        FROM found LEFT JOIN unnest($6::uuid[], $7::int[]) AS own(application_id, running) USING (application_id)) ranked
      ORDER BY turn, application_id <= $9, application_id LIMIT $4
    )
    UPDATE ${table} SET leased_until = ${leaseEnd(milliseconds("$3"))}${onClaim === undefined ? "" : `, ${onClaim}`}
    WHERE ctid = ANY (ARRAY(SELECT row FROM picked))
    RETURNING application_id AS "applicationId", ${keyNamed("", key)}, leased_until AS "leasedUntil", ${columns}`;
}

/** LATERAL with LIMIT: row by row by key. */
function renewText({ table, key }: Table): string {
  const names = key.map(({ column }) => column);
  const arrays = key.map(({ type }, at) => `$${at + 3}::${type}[]`).join(", ");
  return `WITH held AS MATERIALIZED (
    SELECT j.application_id, ${names.map((name) => `j.${name}`).join(", ")}
    FROM unnest($2::uuid[], ${arrays}, $${key.length + 3}::timestamptz[])
        AS held(application_id, ${names.join(", ")}, leased_until)
      CROSS JOIN LATERAL (SELECT application_id, ${names.join(", ")}, leased_until FROM ${table}
        WHERE application_id = held.application_id AND ${same(key, "held", "")} LIMIT 1 FOR UPDATE SKIP LOCKED) j
    WHERE j.leased_until = held.leased_until
  )
  UPDATE ${table} j SET leased_until = ${leaseEnd(milliseconds("$1"))} FROM held
  WHERE j.application_id = held.application_id AND ${same(key, "held", "j.")}
  RETURNING j.application_id AS "applicationId", ${keyNamed("j.", key)}, j.leased_until AS "leasedUntil"`;
}

const keyNamed = (prefix: string, key: Table["key"]) =>
  key.map(({ column, property }) => `${prefix}${column} AS "${property}"`).join(", ");
const same = (key: Table["key"], other: string, prefix: string) =>
  key.map(({ column }) => `${prefix}${column} = ${other}.${column}`).join(" AND ");

const byId: readonly KeyColumn<"id">[] = [{ column: "id", property: "id", type: "uuid" }];

/** The jobs of a table. `Row` is what `columns` reads. */
export class LeasedJobs<Row extends object, Key extends string = "id"> {
  readonly #relayDatabase: RelayDatabase;
  readonly #table: Table;
  readonly #claim: { readonly name: string; readonly text: string };
  readonly #renew: { readonly name: string; readonly text: string };

  constructor({ relayDatabase, table, lane = "false", key, columns, onClaim }: LeasedJobsOptions<Key>) {
    this.#relayDatabase = relayDatabase;
    this.#table = { table, lane, key: key ?? byId, columns, onClaim };
    this.#claim = { name: `claim ${table}`, text: claimText(this.#table) };
    this.#renew = { name: `renew ${table}`, text: renewText(this.#table) };
  }

  /** Claims due jobs, in turns between applications. */
  claim(query: ClaimQuery): Promise<(Leased<Key> & Row)[]> {
    const { lane = false, now, leaseMs, rowsMax, perApplicationMax, running, blocked, after } = query;
    const runningOf = [[...running.keys()], [...running.values()]];
    const values = [lane, now, leaseMs, rowsMax, perApplicationMax, ...runningOf, [...blocked], after];
    return this.#relayDatabase.query<Leased<Key> & Row>({ ...this.#claim, values });
  }

  /** Prolongs leases; answers those that still hold, with their new tokens. */
  renew(leased: readonly Leased<Key>[], leaseMs: number): Promise<Leased<Key>[]> {
    if (leased.length === 0) return Promise.resolve([]);
    return this.#relayDatabase.query<Leased<Key>>({ ...this.#renew, values: [leaseMs, ...this.#keysOf(leased)] });
  }

  /**
   * Changes jobs whose lease still holds: `set` is SQL over the row `j` and values, the n-th of which is an array with a value for
   * each job, read as `v.c<n>`. Answers how many were changed.
   */
  change(
    name: string,
    leased: readonly Leased<Key>[],
    set: string,
    values: readonly { readonly type: string; readonly of: readonly unknown[] }[] = [],
  ): Promise<number> {
    if (leased.length === 0) return Promise.resolve(0);
    const { table, key } = this.#table;
    const types = ["uuid", ...key.map(({ type }) => type), "timestamptz", ...values.map(({ type }) => type)];
    const names = [
      "application_id",
      ...key.map(({ column }) => column),
      "token",
      ...values.map((_, at) => `c${at + 1}`),
    ];
    return this.#relayDatabase.change({
      name: `${name} ${table}`,
      text: `UPDATE ${table} j SET ${set}
        FROM unnest(${types.map((type, at) => `$${at + 1}::${type}[]`).join(", ")}) AS v(${names.join(", ")})
        WHERE j.application_id = v.application_id AND ${same(key, "v", "j.")} AND j.leased_until = v.token`,
      values: [...this.#keysOf(leased), ...values.map(({ of }) => [...of])],
    });
  }

  #keysOf(leased: readonly Leased<Key>[]): unknown[][] {
    // Each property is one of `Key`.
    const properties = this.#table.key.map(({ property }) => property as Key);
    return [
      leased.map(({ applicationId }) => applicationId),
      ...properties.map((property) => leased.map((one) => one[property])),
      leased.map(({ leasedUntil }) => leasedUntil),
    ];
  }
}
