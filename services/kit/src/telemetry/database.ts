// Metrics of the database client: durations of operations, and pools of connections.

import type { Pool } from "pg";
import { gauge, histogram } from "./metrics.ts";

const observe = histogram({
  name: "db_client_operation_duration_seconds",
  help: "Duration of database operations: a transaction with all its statements, or a read.",
  labels: ["db_system_name", "db_namespace", "db_operation_name", "error_type"],
});
const pool = ["db_client_connection_pool_name"] as const;
const onCount = gauge({
  name: "db_client_connection_count",
  help: "Pool connections by state.",
  labels: [...pool, "db_client_connection_state"],
});
const onMax = gauge({
  name: "db_client_connection_max",
  help: "Maximum connections of the pool.",
  labels: pool,
});
const onPending = gauge({
  name: "db_client_connection_pending_requests",
  help: "Requests that wait for a pool connection.",
  labels: pool,
});

/** `snapshot`: several reads of one snapshot. */
export type Operation = "transaction" | "read" | "snapshot";

/** Observes the duration of `work` on the schema `namespace`. */
export async function measure<T>(namespace: string, operation: Operation, work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  let error_type = "";
  try {
    return await work();
  } catch (error) {
    error_type = getErrorType(error);
    throw error;
  } finally {
    const labels = { db_system_name: "postgresql", db_namespace: namespace, db_operation_name: operation, error_type };
    observe(labels, performance.now() - startedMs);
  }
}

/** Returns PostgreSQL's error code; other errors do not come from the database. */
function getErrorType(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? code : "other";
}

/** Exports the state of a pool and of its queue, as `name`. Returns a function that stops this. */
export function observePool(name: string, observed: Pool, queue: { readonly waiting: number }): () => void {
  const labels = { db_client_connection_pool_name: name };
  const stops = [
    onCount(() => [
      { labels: { ...labels, db_client_connection_state: "idle" }, value: observed.idleCount },
      { labels: { ...labels, db_client_connection_state: "used" }, value: observed.totalCount - observed.idleCount },
    ]),
    onMax(() => [{ labels, value: observed.options.max }]),
    onPending(() => [{ labels, value: observed.waitingCount + queue.waiting }]),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
