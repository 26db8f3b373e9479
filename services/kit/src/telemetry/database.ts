// The database as its clients see it: how long work took, and how busy the pools of connections are.

import type { Pool } from "pg";
import { gauge, histogram } from "./metrics.ts";

const observe = histogram({
  name: "db_client_operation_duration_seconds",
  help: "How long work with the database took: a transaction with all its statements, or a read.",
  labels: ["db_system_name", "db_namespace", "db_operation_name", "error_type"],
});
const pool = ["db_client_connection_pool_name"] as const;
const onCount = gauge({
  name: "db_client_connection_count",
  help: "Connections of the pool, by whether somebody has them.",
  labels: [...pool, "db_client_connection_state"],
});
const onMax = gauge({
  name: "db_client_connection_max",
  help: "The most connections that the pool opens.",
  labels: pool,
});
const onPending = gauge({
  name: "db_client_connection_pending_requests",
  help: "How many wait for a connection of the pool.",
  labels: pool,
});

/** What was done: `transaction`, `read`, or `snapshot` for reads that see one state of the data. */
export type Operation = "transaction" | "read" | "snapshot";

/** Measures `work` with the database of the schema `namespace`. */
export async function measured<T>(namespace: string, operation: Operation, work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  let error_type = "";
  try {
    return await work();
  } catch (error) {
    error_type = typeOf(error);
    throw error;
  } finally {
    const labels = { db_system_name: "postgresql", db_namespace: namespace, db_operation_name: operation, error_type };
    observe(labels, performance.now() - startedMs);
  }
}

/** PostgreSQL's code of an error, of which there are few; other errors are the work's own doing. */
function typeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? code : "other";
}

/** Shows how busy `of` is, under that name, and how many wait before it in `queue`; answers how to end that. */
export function observePool(name: string, of: Pool, queue: { readonly waiting: number }): () => void {
  const labels = { db_client_connection_pool_name: name };
  const stops = [
    onCount(() => [
      { labels: { ...labels, db_client_connection_state: "idle" }, value: of.idleCount },
      { labels: { ...labels, db_client_connection_state: "used" }, value: of.totalCount - of.idleCount },
    ]),
    onMax(() => [{ labels, value: of.options.max }]),
    onPending(() => [{ labels, value: of.waitingCount + queue.waiting }]),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
