// State of queues, for metrics and operators; the same for all queues.

import type { Statement } from "../batch.ts";
import type { QueueTable } from "./statements.ts";

export interface QueueState {
  readonly due: number;
  /** Jobs under a lease, or waiting for the end of a backoff if the table records it. */
  readonly leased: number;
  readonly lagSeconds: number;
  /** Highest number of attempts of a job; null if attempts are not counted. */
  readonly attempts: number | null;
}

/** A queue whose state can be read. */
export interface WatchedQueue {
  readonly name: string;
  readonly lateMs: number;
  /** Builds the statement that reads the state, excluding jobs of the applications in `without`. */
  stateStatement(without: readonly string[]): Statement;
}

/** Properties of a queue's table that its state needs. */
export type WatchedTable = Omit<QueueTable, "key" | "columns" | "lane" | "order" | "size" | "onClaim">;

const countMax = 100_000;
const defaultLateMs = 60_000;

/** Describes a queue that has its own claim statements. */
export function watchQueue({ name, table, due, lease, where, since, attempts, lateMs }: WatchedTable): WatchedQueue {
  const waiting = since ?? due;
  const counted = since === undefined ? " FILTER (WHERE NOT is_leased)" : "";
  const text = `SELECT count(*) FILTER (WHERE NOT is_leased)::int AS due, count(*) FILTER (WHERE is_leased)::int AS leased,
      coalesce(extract(epoch FROM now() - min(since)${counted}), 0)::float8 AS "lagSeconds", max(attempts)::int AS attempts
    FROM (SELECT ${waiting} AS since, coalesce(${lease} > now(), false) AS is_leased, ${attempts ?? "NULL"} AS attempts
      FROM ${table} WHERE ${where} AND ${waiting} <= now() AND application_id <> ALL ($1::uuid[]) LIMIT ${countMax}) AS waiting`;
  return { name, lateMs: lateMs ?? defaultLateMs, stateStatement: (without) => ({ text, values: [[...without]] }) };
}

/** Lists applications whose jobs in a queue are paused on purpose: they count neither as lag nor as depth. */
export type PausedIn = (queue: WatchedQueue) => readonly string[];

/** Reads the state of each queue; `run` returns the rows of each statement. */
export async function readQueues(
  queues: readonly WatchedQueue[],
  run: (statements: readonly Statement[]) => Promise<readonly { readonly rows: readonly unknown[] }[]>,
  pausedIn: PausedIn = () => [],
): Promise<(QueueState & Pick<WatchedQueue, "name" | "lateMs">)[]> {
  const results = await run(queues.map((queue) => queue.stateStatement(pausedIn(queue))));
  // The statement's text determines the columns; an aggregate has one row.
  return queues.map(({ name, lateMs }, at) => ({ name, lateMs, ...(results[at]?.rows[0] as QueueState) }));
}
