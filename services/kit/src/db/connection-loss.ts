import type { Pool, PoolClient } from "pg";

/**
 * Keeps the process alive when a connection is lost while it is checked out: its `error` event would end the process
 * between two statements, and a running statement fails by itself.
 */
export function surviveConnectionLoss(pool: Pool): void {
  if (pool.listeners("acquire").includes(ignoreErrors)) return;
  pool.on("acquire", ignoreErrors);
}

function ignoreErrors(client: PoolClient): void {
  if (!client.listeners("error").includes(ignoreError)) client.on("error", ignoreError);
}

function ignoreError(): void {}
