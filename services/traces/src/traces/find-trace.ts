import { inArchive, type Stores } from "@ems/archive";
import { notFound } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import { archivedAmong } from "./archived-traces.ts";
import type { TraceRow } from "./entity.ts";
import { isTrace } from "./queries.ts";

/** A trace in PostgreSQL. */
export interface StoredTrace extends Pick<TraceRow, "id" | "testId" | "timestamp" | "createdAt" | "steps"> {
  readonly state: "stored";
}

/** An archived trace; PostgreSQL has only its id and time. */
export interface ArchivedTrace extends Pick<TraceRow, "id" | "createdAt"> {
  readonly state: "archived";
}

// If several traces match an id, the newest one wins.
const byId = `SELECT 'stored' AS state, t.id, t.test_id AS "testId", t.timestamp, t.created_at AS "createdAt", t.steps
  FROM traces.trace t WHERE t.application_id = $1 AND ${isTrace("($2::uuid[])[1]")} ORDER BY t.created_at DESC, t.id DESC LIMIT 1`;

/** Finds a trace by its current or earlier id; undefined if there is none. */
export async function findTrace(
  { database }: Pick<Stores, "database">,
  call: Call,
  id: string,
): Promise<StoredTrace | ArchivedTrace | undefined> {
  const values = [call.tenant.applicationId, [id]];
  const [[stored] = [], [archived] = []] = await database.readAll(call, [
    { name: "find-trace", text: byId, values },
    { name: "archived-among", text: archivedAmong, values },
  ]);
  // Safe cast: the column types match the statements.
  if (stored !== undefined) return stored as StoredTrace;
  return archived && ({ state: "archived", ...archived } as ArchivedTrace);
}

/** Returns the trace with the id; throws if it does not exist or is archived. */
export async function requireTrace(stores: Pick<Stores, "database">, call: Call, id: string): Promise<StoredTrace> {
  const trace = await findTrace(stores, call, id);
  if (trace?.state === "stored") return trace;
  throw trace === undefined ? notFound("Trace") : inArchive(call, "The trace", trace.createdAt);
}
