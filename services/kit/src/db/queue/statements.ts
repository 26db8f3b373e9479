// SQL of queues: claims in two orders, renewals, and changes under a lease.

import { isLeaseOver, leaseEnd, milliseconds } from "../lease.ts";
import { snakeCase } from "../table.ts";

/** Table of a queue. Column names are the properties' names in snake case. */
export interface QueueTable {
  /** Label of the queue's metrics and name of its statements: `<schema>.<jobs>`. */
  readonly name: string;
  /** Qualified name: `schema.table`. */
  readonly table: string;
  /** Columns that identify a job within its application, with their types. */
  readonly key: Readonly<Record<string, "uuid" | "text">>;
  /** Columns that a claim returns in addition to key and lease. */
  readonly columns: readonly string[];
  /** SQL of a job's due time: a column, or the expression of an index. */
  readonly due: string;
  /** Column of the lease's end. If it is also the due time, a claim postpones the job by its lease. */
  readonly lease: string;
  /** SQL condition for jobs that have not ended; the index of due jobs has the same condition. */
  readonly where: string;
  /** Column that divides jobs into lanes, claimed separately; the first column of the index of due jobs. */
  readonly lane?: string;
  /** Additional order of jobs that are due at the same time. */
  readonly order?: string;
  /** Limits a claim: it ends with the job at which the sum of the column reaches `max`. */
  readonly size?: { readonly column: string; readonly max: number };
  /** SQL of further changes by a claim: `attempts = attempts + 1` counts attempts during which a process dies. */
  readonly onClaim?: string;
  /**
   * SQL of the time since when a job has been waiting, if neither attempts nor leases end the wait. By default, a job
   * waits while it is due and not leased.
   */
  readonly since?: string;
  /** The column of attempts, if there is one. */
  readonly attempts?: string;
  /** Lag at which operators are warned, in milliseconds; by default one minute. */
  readonly lateMs?: number;
}

/** Claims jobs of all applications by due time. Parameters: time, lease, rows, lane. */
export function claimOldest(queue: QueueTable): string {
  const { table, due, order, size } = queue;
  const columns = size === undefined ? "" : `, ${order ?? due} AS sequence, ${size.column} AS size`;
  const found = `SELECT ctid AS row${columns} FROM ${table} WHERE ${pending(queue, "$4")} AND ${isReady(queue)}
      ORDER BY ${due}${order === undefined ? "" : `, ${order}`} LIMIT $3 FOR UPDATE SKIP LOCKED`;
  if (size === undefined) return `WITH picked AS MATERIALIZED (${found}) ${claimPicked(queue)}`;
  return `WITH found AS MATERIALIZED (${found}), picked AS MATERIALIZED (
      SELECT row FROM (
        SELECT row, sum(size) OVER (ORDER BY sequence ROWS UNBOUNDED PRECEDING) - size AS before FROM found
      ) sums WHERE before < ${size.max})
    ${claimPicked(queue)}`;
}

/** Sorts before every application's id: the start of the first claim. */
export const firstApplication = "00000000-0000-0000-0000-000000000000";

/** Maximum applications that a claim with a cursor visits: workers with free capacity claim often. */
const applicationsMax = 1_000;

/**
 * Claims jobs, rotating among applications. A loose index scan finds their first jobs, so a long queue costs other
 * applications nothing. Shares are counted before rows are locked, so that a claim locks only what it takes, and takes
 * what concurrent claims leave. Parameters: time, lease, rows, rows per application, running jobs by application,
 * blocked applications, last application of the previous claim (null: oldest due first among equals), lane.
 */
export function claimInTurns(queue: QueueTable): string {
  const { table, due } = queue;
  const where = pending(queue, "$9");
  const ready = (application: string) =>
    `FROM ${table} WHERE ${where} AND application_id = ${application} AND ${isReady(queue)} ORDER BY ${due}`;
  // Visits applications after the cursor first, then from the beginning, so that all have their turn.
  const cursor = `coalesce($8::uuid, '${firstApplication}')`;
  const next = (condition: string) =>
    `SELECT application_id FROM ${table} WHERE ${where} AND ${condition} ORDER BY application_id LIMIT 1`;
  return `WITH RECURSIVE app AS (
      SELECT first.id AS application_id, first.id <= ${cursor} AS is_over, 1 AS nth
      FROM (SELECT coalesce((${next(`application_id > ${cursor}`)}), (${next(`application_id <= ${cursor}`)})) AS id) first
      WHERE first.id IS NOT NULL
      UNION ALL
      SELECT next.id, next.id <= ${cursor}, app.nth + 1 FROM app CROSS JOIN LATERAL (
        SELECT coalesce((${next(`application_id > app.application_id AND (NOT app.is_over OR application_id <= ${cursor})`)}),
          (${next(`NOT app.is_over AND application_id <= ${cursor}`)})) AS id) next
      WHERE next.id IS NOT NULL AND (app.nth < ${applicationsMax} OR $8::uuid IS NULL)
    ), ranked AS MATERIALIZED (
      SELECT app.application_id, ready.due, coalesce(own.running, 0)
        + row_number() OVER (PARTITION BY app.application_id ORDER BY ready.due) AS turn
      FROM app LEFT JOIN unnest($5::uuid[], $6::int[]) AS own(application_id, running) USING (application_id)
        CROSS JOIN LATERAL (SELECT ${due} AS due ${ready("app.application_id")} LIMIT $4) ready
      WHERE app.application_id <> ALL ($7::uuid[])
    ), share AS MATERIALIZED (
      SELECT application_id, count(*) AS size FROM (
        SELECT application_id FROM ranked
        ORDER BY turn, application_id <= $8, CASE WHEN $8 IS NULL THEN due END, application_id LIMIT $3) first
      GROUP BY application_id
    ), picked AS MATERIALIZED (
      SELECT found.row FROM share CROSS JOIN LATERAL (
        SELECT ctid AS row ${ready("share.application_id")} LIMIT share.size FOR UPDATE SKIP LOCKED) found)
    ${claimPicked(queue)}`;
}

/** Updates rows by ctid, because a generic plan that finds a few ids would scan the table. */
function claimPicked({ table, key, columns, lease, onClaim }: QueueTable): string {
  return `UPDATE ${table} SET ${lease} = ${leaseEnd(milliseconds("$2"))}${onClaim === undefined ? "" : `, ${onClaim}`}
    WHERE ctid = ANY (ARRAY(SELECT row FROM picked))
    RETURNING application_id AS "applicationId", ${named("", [...Object.keys(key), ...columns])}, ${lease} AS "leasedUntil"`;
}

const pending = ({ lane, where }: QueueTable, parameter: string) =>
  lane === undefined ? where : `${lane} = ${parameter} AND ${where}`;

function isReady({ due, lease }: QueueTable): string {
  const isDue = `${due} <= coalesce($1::timestamptz, now())`;
  return lease === due ? isDue : `${isDue} AND ${isLeaseOver(lease, milliseconds("$2"))}`;
}

/** Renews leases that are still valid. LATERAL with LIMIT forces a look-up by key per row. */
export function renewLeases({ table, key, lease }: QueueTable): string {
  const names = Object.keys(key).map(snakeCase);
  const arrays = Object.values(key).map((type, at) => `$${at + 3}::${type}[]`);
  return `WITH held AS MATERIALIZED (
    SELECT j.application_id, ${names.map((name) => `j.${name}`).join(", ")}
    FROM unnest($2::uuid[], ${arrays.join(", ")}, $${names.length + 3}::timestamptz[])
        AS held(application_id, ${names.join(", ")}, token)
      CROSS JOIN LATERAL (SELECT application_id, ${names.join(", ")}, ${lease} AS token FROM ${table}
        WHERE application_id = held.application_id AND ${same(key, "held", "")} LIMIT 1 FOR UPDATE SKIP LOCKED) j
    WHERE j.token = held.token
  )
  UPDATE ${table} j SET ${lease} = ${leaseEnd(milliseconds("$1"))} FROM held
  WHERE j.application_id = held.application_id AND ${same(key, "held", "j.")}
  RETURNING j.application_id AS "applicationId", ${named("j.", Object.keys(key))}, j.${lease} AS "leasedUntil"`;
}

/**
 * Changes jobs `j` while their leases are valid, by values `v.c1`, `v.c2` and so on, each an array with a value per
 * job.
 */
export function changeLeased({ table, key, lease }: QueueTable, set: string, values: readonly string[]): string {
  const types = ["uuid", ...Object.values(key), "timestamptz", ...values];
  const names = ["application_id", ...Object.keys(key).map(snakeCase), "token", ...values.map((_, at) => `c${at + 1}`)];
  return `UPDATE ${table} j SET ${set}
    FROM unnest(${types.map((type, at) => `$${at + 1}::${type}[]`).join(", ")}) AS v(${names.join(", ")})
    WHERE j.application_id = v.application_id AND ${same(key, "v", "j.")} AND j.${lease} = v.token`;
}

const named = (prefix: string, properties: readonly string[]) =>
  properties.map((property) => `${prefix}${snakeCase(property)} AS "${property}"`).join(", ");
const same = (key: QueueTable["key"], other: string, prefix: string) =>
  Object.keys(key)
    .map(snakeCase)
    .map((column) => `${prefix}${column} = ${other}.${column}`)
    .join(" AND ");
