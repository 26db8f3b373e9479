// Stores steps that arrive after their trace was archived in another trace that continues it. Ignores steps that the
// archive already has.

import { type ArchivedRanges, buildArchivedSelectList, clipToTimes, type Stores } from "@ems/archive";
import type { Call } from "@ems/kit/rpc/call";
import { ArchivedMeanwhile, archivedAmong, continuationId } from "./archived-traces.ts";
import type { EndUser } from "./end-user.ts";
import { TraceEntity, type TraceRow } from "./entity.ts";
import type { ArchivedTrace } from "./find-trace.ts";
import type { UpdateResult } from "./merge.ts";
import type { TraceSession } from "./session.ts";
import { stepRowId } from "./step-row.ts";
import { measureUpdates } from "./store-updates.ts";
import type { RedactedUpdate, TraceData } from "./trace-update.ts";

/** Maximum number of traces that continue each other. */
const continuationsMax = 16;
/** Maximum number of attempts of a request if its traces are archived while it runs. */
const attemptsMax = 5;

/**
 * Measures updates and has `store` store them in a transaction. Updates of archived traces become updates of their
 * continuations. Retries if a trace is archived in between.
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
    const { found, archivedRanges } = await stores.read(call, ["traces"], [statement]);
    const archived = found[0] as Omit<ArchivedTrace, "state">[];
    if (archived.length === 0) return continued;
    const archivedIds = new Set(archived.map(({ id }) => id));
    const ofArchived = (update: RedactedUpdate | UpdateResult): update is RedactedUpdate =>
      "steps" in update && archivedIds.has(update.traceId);
    const steps = continued
      .filter(ofArchived)
      .flatMap(({ traceId, steps }) => steps.map(({ id }) => stepRowId(traceId, id)));
    const within = clipToTimes(
      archivedRanges.traces,
      archived.map(({ createdAt }) => createdAt),
    );
    const [held, owners] = await Promise.all([
      heldSteps(stores, call, within, [...archivedIds], steps),
      readOwners(stores, call, within, [...archivedIds]),
    ]);
    continued = continued.map((update) =>
      ofArchived(update) ? continuedUpdate(update, held, owners.get(update.traceId)) : update,
    );
  }
  return continued;
}

/** Returns the keys (ids of trace and step) of those steps that the archive already has. */
async function heldSteps(
  stores: Stores,
  call: Call,
  within: ArchivedRanges,
  traces: readonly string[],
  steps: readonly string[],
): Promise<ReadonlySet<string>> {
  const text = `SELECT concat(toString(s.trace_id), toString(s.id)) AS key FROM trace_step s
    WHERE s.trace_id IN {traces:Array(UUID)} AND s.id IN {steps:Array(UUID)}`;
  const held = await stores.query<{ key: string }>(call, { trace_step: within }, text, { traces, steps });
  return new Set(held.map(({ key }) => key));
}

interface Owner {
  readonly endUser?: EndUser;
  readonly session?: TraceSession;
}

/**
 * Reads the end users and sessions of archived traces. A continuation gets the same ones, so that lists and erasures
 * include it.
 */
async function readOwners(
  stores: Stores,
  call: Call,
  within: ArchivedRanges,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Owner>> {
  const columns = ["id", "endUser", "endUserKey", "session", "sessionId"] as const;
  const text = `SELECT ${buildArchivedSelectList(TraceEntity, "t", columns)} FROM trace t
    WHERE t.id IN {ids:Array(UUID)} AND (t.end_user_key IS NOT NULL OR t.session_id IS NOT NULL)`;
  const query = { kind: "traces", table: "trace", entity: TraceEntity, text, parameters: { ids } } as const;
  const rows = await stores.rows<TraceRow>(call, query, { traces: within });
  return new Map(
    rows.map(({ id, endUser, endUserKey, session, sessionId }): [string, Owner] => [
      id,
      {
        ...(endUser !== null && endUserKey !== null && { endUser: { id: endUser, key: endUserKey } }),
        ...(session !== null && sessionId !== null && { session: { externalId: session, id: sessionId } }),
      },
    ]),
  );
}

const readOnly: UpdateResult = { error: "The trace is in the archive, which is read-only: only new steps are stored" };

/** Returns the update of the continuation, or only a result if the update contains nothing new. */
function continuedUpdate(
  { trace, steps, ...update }: RedactedUpdate,
  held: ReadonlySet<string>,
  owner: Owner | undefined,
): RedactedUpdate | UpdateResult {
  const { traceId } = update;
  if (steps.length === 0) return readOnly;
  const added = steps.filter(({ id }) => !held.has(`${traceId}${stepRowId(traceId, id)}`));
  if (added.length === 0) return trace === undefined ? {} : { id: traceId };
  const data = trace === undefined && owner === undefined ? undefined : toDescription(trace, owner);
  return {
    ...update,
    traceId: continuationId(traceId),
    continues: traceId,
    steps: added,
    ...(data !== undefined && { trace: data }),
  };
}

/** Returns the data that also applies to a continuation: it belongs to no test and has totals only of its own steps. */
function toDescription({ referenceId, metadata, origin, ...later }: TraceData = {}, first: Owner = {}): TraceData {
  const { endUser = later.endUser, session = later.session } = first;
  return {
    ...(referenceId !== undefined && { referenceId }),
    ...(metadata !== undefined && { metadata }),
    ...(endUser !== undefined && { endUser }),
    ...(origin !== undefined && { origin }),
    ...(session !== undefined && { session }),
  };
}
