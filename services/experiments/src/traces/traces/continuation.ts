// Steps that come after their trace was archived go to one trace that continues it. Steps that the archive has change nothing.

import { clippedTo, type Stores } from "@ems/archive";
import type { Call } from "@ems/kit/rpc/call";
import { ArchivedMeanwhile, archivedAmong, continuationId } from "./archived-traces.ts";
import type { UpdateResult } from "./merge.ts";
import { measureUpdates } from "./store-updates.ts";
import { stepRowId } from "./trace-id.ts";
import type { RedactedUpdate, TraceData } from "./trace-update.ts";

/** The most traces in a row of which each continues the one before. */
const continuationsMax = 16;
/** How often a request starts again since a trace was archived meanwhile. */
const attemptsMax = 5;

interface ArchivedTrace {
  readonly id: string;
  readonly createdAt: Date;
}

/**
 * Measures updates and has `store` store them in a transaction: those of archived traces as updates of their continuations. Starts again
 * when a trace is archived meanwhile.
 */
export async function withContinuations<T>(
  stores: Stores,
  call: Call,
  updates: readonly (RedactedUpdate | UpdateResult)[],
  store: (measured: Awaited<ReturnType<typeof measureUpdates>>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const continued = stores.hasArchive ? await continueArchived(stores, call, updates) : updates;
    const measured = await measureUpdates(call.tenant.applicationId, continued);
    try {
      return await store(measured);
    } catch (error) {
      if (!(error instanceof ArchivedMeanwhile) || attempt === attemptsMax) throw error;
    }
  }
}

async function continueArchived(
  stores: Stores,
  call: Call,
  updates: readonly (RedactedUpdate | UpdateResult)[],
): Promise<(RedactedUpdate | UpdateResult)[]> {
  let continued = [...updates];
  for (let depth = 0; depth < continuationsMax; depth += 1) {
    const ids = [...new Set(continued.flatMap((update) => ("steps" in update ? update.traceId : [])))];
    const values = [call.tenant.applicationId, ids];
    const statement = { name: "archived-among", text: archivedAmong, values };
    const { found, extents } = await stores.read(call, ["traces"], [statement]);
    const archived = found[0] as ArchivedTrace[];
    if (archived.length === 0) return continued;
    const archivedIds = new Set(archived.map(({ id }) => id));
    const ofArchived = (update: RedactedUpdate | UpdateResult): update is RedactedUpdate =>
      "steps" in update && archivedIds.has(update.traceId);
    const steps = continued
      .filter(ofArchived)
      .flatMap(({ traceId, steps }) => steps.map(({ id }) => stepRowId(traceId, id)));
    const within = clippedTo(
      extents.traces,
      archived.map(({ createdAt }) => createdAt),
    );
    const text = `SELECT concat(toString(s.trace_id), toString(s.id)) AS key FROM trace_step s
      WHERE s.trace_id IN {traces:Array(UUID)} AND s.id IN {steps:Array(UUID)}`;
    const parameters = { traces: [...archivedIds], steps };
    const held = await stores.query<{ key: string }>(call, { trace_step: within }, text, parameters);
    const keys = new Set(held.map(({ key }) => key));
    continued = continued.map((update) => (ofArchived(update) ? continuedUpdate(update, keys) : update));
  }
  return continued;
}

const readOnly: UpdateResult = { error: "The trace is in the archive, which is read-only: only new steps are stored" };

/** The update of the continuation, or the result of one that has nothing new. */
function continuedUpdate(
  { trace, steps, ...update }: RedactedUpdate,
  held: ReadonlySet<string>,
): RedactedUpdate | UpdateResult {
  const { traceId } = update;
  if (steps.length === 0) return readOnly;
  const added = steps.filter(({ id }) => !held.has(`${traceId}${stepRowId(traceId, id)}`));
  if (added.length === 0) return trace === undefined ? {} : { id: traceId };
  const data = trace && descriptionOf(trace);
  return {
    ...update,
    traceId: continuationId(traceId),
    continues: traceId,
    steps: added,
    ...(data !== undefined && { trace: data }),
  };
}

/** What is true of a part of the trace, too: it belongs to no test, and its totals are those of its own steps. */
function descriptionOf({ referenceId, metadata, endUser }: TraceData): TraceData {
  return {
    ...(referenceId !== undefined && { referenceId }),
    ...(metadata !== undefined && { metadata }),
    ...(endUser !== undefined && { endUser }),
  };
}
