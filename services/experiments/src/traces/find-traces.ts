// Looks up the traces that other resources refer to by id.

import { inArchive, type Stores } from "@ems/archive";
import { notFound } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";

/** A trace in PostgreSQL. */
export interface StoredTrace {
  readonly state: "stored";
  readonly id: string;
  readonly testId: string | null;
  readonly timestamp: Date;
  readonly createdAt: Date;
  /** Number of steps so far. */
  readonly steps: number;
}

/** An archived trace; experiments knows only its id and time. */
export interface ArchivedTrace {
  readonly state: "archived";
  readonly id: string;
  readonly createdAt: Date;
}

// Several traces may match one id; the newest is sorted last, and replaces the others.
const byIds = `SELECT t.id, t.earlier_id AS "earlierId", t.test_id AS "testId", t.timestamp, t.created_at AS "createdAt", t.steps
  FROM experiments.trace_v1 t
  WHERE t.application_id = $1 AND (t.id = ANY ($2::uuid[]) OR t.earlier_id = ANY ($2::uuid[])) ORDER BY t.created_at, t.id`;
const archivedByIds = `SELECT d.id, d.created_at AS "createdAt" FROM experiments.archived_trace_v1 d
  WHERE d.application_id = $1 AND d.id = ANY ($2::uuid[])`;

/** Returns the traces by the requested id, which may be the current or an earlier one; omits unknown ids. */
export async function findTraces(
  { database }: Pick<Stores, "database">,
  call: Call,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredTrace | ArchivedTrace>> {
  if (ids.length === 0) return new Map();
  const values = [call.tenant.applicationId, ids];
  const [stored = [], archived = []] = await database.readAll(call, [
    { name: "find-traces", text: byIds, values },
    { name: "archived-among", text: archivedByIds, values },
  ]);
  const requested = new Set(ids);
  const found = new Map<string, StoredTrace | ArchivedTrace>();
  // Safe cast: the row types match the statements' select lists.
  for (const row of archived as Omit<ArchivedTrace, "state">[]) found.set(row.id, { state: "archived", ...row });
  for (const { earlierId, ...row } of stored as (Omit<StoredTrace, "state"> & { earlierId: string | null })[]) {
    for (const id of [row.id, earlierId])
      if (id !== null && requested.has(id)) found.set(id, { state: "stored", ...row });
  }
  return found;
}

/** Returns the trace; throws if it does not exist or is archived. */
export async function requireTrace(stores: Pick<Stores, "database">, call: Call, id: string): Promise<StoredTrace> {
  const trace = (await findTraces(stores, call, [id])).get(id);
  if (trace?.state !== "stored") throw missingTrace(call, trace);
  return trace;
}

/** Returns the error for a trace that PostgreSQL does not have, because it is archived or does not exist. */
export function missingTrace(call: Call, archived: ArchivedTrace | undefined) {
  return archived === undefined ? notFound("Trace") : inArchive(call, "The trace", archived.createdAt);
}
