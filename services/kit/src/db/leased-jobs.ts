// Leased jobs: rows of a table that workers of many processes claim under a lease by the database's clock. When a worker dies its
// lease ends, and another claims the job. The table has application_id, id, next_attempt_at (null when the job has ended),
// leased_until and attempts.

import type { RelayDatabase } from "./relay-database.ts";

export interface LeasedJobsOptions {
  readonly relayDatabase: RelayDatabase;
  /** `schema.table`. */
  readonly table: string;
  /** A boolean column that jobs are claimed by apart; first in the index of due jobs, before application_id, next_attempt_at. */
  readonly lane: string;
  /** What a claim reads beside the key and the lease, as SQL with names of its properties. */
  readonly columns: string;
}

export interface Leased {
  readonly applicationId: string;
  readonly id: string;
  /** The end of the lease, and its token: whoever claims the row meanwhile writes another value. */
  readonly leasedUntil: Date;
}

export interface ClaimQuery {
  readonly lane: boolean;
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

/** The most applications that a claim visits. */
const applicationsMax = 1_000;

const leaseFrom = (parameter: string) =>
  `date_trunc('milliseconds', clock_timestamp()) + ${parameter} * interval '1 millisecond'`;

/**
 * Loose index scan over applications: the length of one queue costs the others nothing. Rows are updated by ctid, since a
 * generic plan would scan the table to find a few ids.
 */
function claimText({ table, lane, columns }: LeasedJobsOptions): string {
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
        WHERE j.${lane} = $1 AND j.application_id = app.application_id AND j.next_attempt_at <= $2
          AND (j.leased_until IS NULL OR j.leased_until <= clock_timestamp())
        ORDER BY j.next_attempt_at LIMIT $5 FOR UPDATE SKIP LOCKED) found
      WHERE app.application_id <> ALL ($8::uuid[])
    ), picked AS MATERIALIZED (
      SELECT ranked.row FROM (
        SELECT found.row, found.application_id, coalesce(own.running, 0)
          + row_number() OVER (PARTITION BY found.application_id ORDER BY found.next_attempt_at) AS turn
        FROM found LEFT JOIN unnest($6::uuid[], $7::int[]) AS own(application_id, running) USING (application_id)) ranked
      ORDER BY turn, application_id <= $9, application_id LIMIT $4
    )
    UPDATE ${table} SET leased_until = ${leaseFrom("$3")}
    WHERE ctid = ANY (ARRAY(SELECT row FROM picked))
    RETURNING application_id AS "applicationId", id, leased_until AS "leasedUntil", ${columns}`;
}

/** LATERAL with LIMIT: row by row by key. */
const renewText = (table: string) => `WITH held AS MATERIALIZED (
    SELECT j.application_id, j.id
    FROM unnest($2::uuid[], $3::uuid[], $4::timestamptz[]) AS held(application_id, id, leased_until)
      CROSS JOIN LATERAL (SELECT application_id, id, leased_until FROM ${table}
        WHERE application_id = held.application_id AND id = held.id LIMIT 1 FOR UPDATE SKIP LOCKED) j
    WHERE j.leased_until = held.leased_until
  )
  UPDATE ${table} j SET leased_until = ${leaseFrom("$1")} FROM held
  WHERE j.application_id = held.application_id AND j.id = held.id
  RETURNING j.application_id AS "applicationId", j.id, j.leased_until AS "leasedUntil"`;

/** The jobs of a table. `Row` is what `columns` reads. */
export class LeasedJobs<Row extends object> {
  readonly #options: LeasedJobsOptions;
  readonly #claim: { readonly name: string; readonly text: string };
  readonly #renew: { readonly name: string; readonly text: string };

  constructor(options: LeasedJobsOptions) {
    this.#options = options;
    this.#claim = { name: `claim ${options.table}`, text: claimText(options) };
    this.#renew = { name: `renew ${options.table}`, text: renewText(options.table) };
  }

  /** Claims due jobs, in turns between applications. */
  claim(query: ClaimQuery): Promise<(Leased & Row)[]> {
    const { lane, now, leaseMs, rowsMax, perApplicationMax, running, blocked, after } = query;
    const runningOf = [[...running.keys()], [...running.values()]];
    const values = [lane, now, leaseMs, rowsMax, perApplicationMax, ...runningOf, [...blocked], after];
    return this.#options.relayDatabase.query<Leased & Row>({ ...this.#claim, values });
  }

  /** Prolongs leases; answers those that still hold, with their new tokens. */
  renew(leased: readonly Leased[], leaseMs: number): Promise<Leased[]> {
    if (leased.length === 0) return Promise.resolve([]);
    return this.#options.relayDatabase.query<Leased>({ ...this.#renew, values: [leaseMs, ...keysOf(leased)] });
  }

  /**
   * Changes jobs whose lease still holds: `set` is SQL over the row `j` and the parameters from $4 on, the n-th of which is an
   * array with a value for each job, read as `v.c<n>`. Answers how many were changed.
   */
  change(
    name: string,
    leased: readonly Leased[],
    set: string,
    values: readonly { readonly type: string; readonly of: readonly unknown[] }[] = [],
  ): Promise<number> {
    if (leased.length === 0) return Promise.resolve(0);
    const { table, relayDatabase } = this.#options;
    const arrays = values.map(({ type }, index) => `, $${index + 4}::${type}[]`).join("");
    const names = values.map((_, index) => `, c${index + 1}`).join("");
    return relayDatabase.change({
      name: `${name} ${table}`,
      text: `UPDATE ${table} j SET ${set}
        FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]${arrays}) AS v(application_id, id, token${names})
        WHERE j.application_id = v.application_id AND j.id = v.id AND j.leased_until = v.token`,
      values: [...keysOf(leased), ...values.map(({ of }) => [...of])],
    });
  }
}

function keysOf(leased: readonly Leased[]): unknown[][] {
  return [
    leased.map(({ applicationId }) => applicationId),
    leased.map(({ id }) => id),
    leased.map(({ leasedUntil }) => leasedUntil),
  ];
}
