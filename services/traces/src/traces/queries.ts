import { type ArchivedQuery, buildArchivedSelectList, clipToTimes, type Stores } from "@ems/archive";
import { buildSelectList } from "@ems/kit/db/columns";
import type { Call } from "@ems/kit/rpc/call";
import type { EntitySchema } from "typeorm";
import { continuationId } from "./archived-traces.ts";
import { TraceEntity, type TraceRow, TraceStepEntity, type TraceStepRow } from "./entity.ts";
import type { StoredStep } from "./step-row.ts";

/** Selects the columns of TraceRow, from `traces.trace t`. */
export const traceColumns = buildSelectList(TraceEntity, "t");

/** Month of the partition that contains the steps of trace `t`. */
export const monthOfTrace = `date_trunc('month', t.created_at, 'UTC')`;

const stepProperties = [
  "traceId",
  "id",
  "parentId",
  "timestamp",
  "type",
  "event",
  "input",
  "output",
  "fields",
] as const;

/** Selects the columns of StoredStep, from `s`. */
export const stepColumns = buildSelectList(TraceStepEntity, "s", stepProperties);

/** A step with its place among the steps of its trace. */
export type PlacedStep = StoredStep & Pick<TraceStepRow, "timestamp" | "position">;

const placedProperties = [...stepProperties, "position"] as const;

/** Selects the columns of PlacedStep, from `s`. */
export const placedColumns = buildSelectList(TraceStepEntity, "s", placedProperties);

export const stepOrder = `s."timestamp", s."position"`;

/** Condition for the trace with the id, current or earlier. */
export const isTrace = (id: string) => `(t.id = ${id} OR t.earlier_id = ${id})`;

/** Condition for traces with one of the ids, current or earlier. */
export const isTraceAmong = (ids: string) => `(t.id = ANY (${ids}) OR t.earlier_id = ANY (${ids}))`;

/** Selects the steps `s` of trace `t`. */
export const stepsOfTrace = `traces.trace_step s
  WHERE s.application_id = t.application_id AND s.month = ${monthOfTrace} AND s.trace_id = t.id`;

/** Selects the ids of the steps of the traces `$2`. */
export const selectStepIds = `SELECT s.id FROM unnest($2::uuid[]) AS requested (id)
  CROSS JOIN LATERAL (SELECT * FROM traces.trace t WHERE t.application_id = $1 AND t.id = requested.id LIMIT 1) t
  CROSS JOIN LATERAL (SELECT s.id FROM ${stepsOfTrace}) s`;

/** Steps of trace `t` as `s`, where `before` is the total size of the steps before each one. */
export const firstSteps = `(
  SELECT s.*, sum(s.size) OVER (ORDER BY ${stepOrder} ROWS UNBOUNDED PRECEDING) - s.size AS before
  FROM ${stepsOfTrace}) s`;

const archivedStepColumns = buildArchivedSelectList(TraceStepEntity, "s", stepProperties);

/** Builds the archive query for the newest trace `t` that matches the condition. */
export function archivedTrace(
  condition: string,
  parameters: ArchivedQuery<TraceRow>["parameters"],
): ArchivedQuery<TraceRow> {
  const text = `SELECT ${buildArchivedSelectList(TraceEntity, "t")} FROM trace t WHERE ${condition}
    ORDER BY t.created_at DESC, toString(t.id) DESC LIMIT 1`;
  return { kind: "traces", table: "trace", entity: TraceEntity, text, parameters };
}

/** Builds the archive query for a page of a trace's steps. */
export function archivedSteps(
  { id, createdAt }: Pick<TraceRow, "id" | "createdAt">,
  page: { readonly skip: bigint; readonly limit: number },
  after: { readonly timestamp: string; readonly position: number },
): ArchivedQuery<PlacedStep> {
  const text = `SELECT ${buildArchivedSelectList(TraceStepEntity, "s", placedProperties)}
    FROM trace_step s WHERE s.trace_id = {id:UUID}
      AND (s."timestamp", s."position") > (parseDateTime64BestEffort({timestamp:String}, 3, 'UTC'), {position:Int64})
    ORDER BY ${stepOrder} LIMIT {limit:UInt32} OFFSET {skip:UInt64}`;
  return ofSteps(text, { id, skip: page.skip, limit: page.limit + 1, ...after }, [createdAt]);
}

/** Builds the archive query for the first steps of traces, like `firstSteps`; `isAny` includes at least one step. */
export function archivedFirstSteps(
  traces: readonly Pick<TraceRow, "id" | "createdAt">[],
  { bytes, isAny }: { readonly bytes: number; readonly isAny: boolean },
): ArchivedQuery<StoredStep> {
  const text = `SELECT ${archivedStepColumns} FROM (
      SELECT *, sum(f.size) OVER (PARTITION BY f.trace_id ORDER BY f."timestamp", f."position") - f.size AS before
      FROM trace_step f WHERE f.trace_id IN {ids:Array(UUID)}) s
    WHERE s.before + s.size <= {bytes:UInt64} OR ({isAny:Bool} AND s.before = 0) ORDER BY s.trace_id, ${stepOrder}`;
  const parameters = { ids: traces.map(({ id }) => id), bytes, isAny };
  return ofSteps(
    text,
    parameters,
    traces.map(({ createdAt }) => createdAt),
  );
}

/** Builds the archive query for all steps of traces. */
export function archivedTraceSteps(traces: readonly Pick<TraceRow, "id" | "createdAt">[]): ArchivedQuery<StoredStep> {
  const text = `SELECT ${archivedStepColumns} FROM trace_step s WHERE s.trace_id IN {ids:Array(UUID)}
    ORDER BY s.trace_id, ${stepOrder}`;
  const times = traces.map(({ createdAt }) => createdAt);
  return ofSteps(text, { ids: traces.map(({ id }) => id) }, times);
}

/** Builds the archive query for a trace's steps after a place that fit in `bytes`, at least one; `rest` counts the others. */
export function archivedStepsAfter(
  { id, createdAt }: Pick<TraceRow, "id" | "createdAt">,
  after: { readonly timestamp: Date; readonly position: number } | undefined,
  bytes: number,
): ArchivedQuery<PlacedStep & { readonly rest: number }> {
  const order = `f."timestamp", f."position"`;
  const isAfter = `AND (f."timestamp", f."position") > (fromUnixTimestamp64Milli({ms:Int64}, 'UTC'), {position:Int64})`;
  const text = `SELECT ${buildArchivedSelectList(TraceStepEntity, "s", placedProperties)}, toFloat64(s.rest) AS rest FROM (
      SELECT *, sum(f.size) OVER (ORDER BY ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) - f.size AS before,
        count() OVER (ORDER BY ${order} ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) AS rest
      FROM trace_step f WHERE f.trace_id = {id:UUID} ${after === undefined ? "" : isAfter}) s
    WHERE s.before = 0 OR s.before + s.size <= {bytes:UInt64} ORDER BY ${stepOrder}`;
  const place = after && { ms: after.timestamp.getTime(), position: after.position };
  return ofSteps(text, { id, bytes, ...place }, [createdAt]);
}

function ofSteps<Step extends StoredStep>(
  text: string,
  parameters: ArchivedQuery<StoredStep>["parameters"],
  times: readonly Date[],
): ArchivedQuery<Step> {
  const within: ArchivedQuery<Step>["within"] = (range) => clipToTimes(range, times);
  // Safe cast: the queries select the columns of the steps.
  const entity = TraceStepEntity as unknown as EntitySchema<Step>;
  return { kind: "traces", table: "trace_step", entity, text, parameters, within };
}

const existing = `SELECT t.id FROM traces.trace t WHERE t.application_id = $1 AND t.id = ANY ($2::uuid[])
  UNION SELECT d.id FROM traces.dropped_trace d WHERE d.application_id = $1 AND d.id = ANY ($2::uuid[])`;

/** Reads the ids of the traces that continue archived traces, by the ids of the archived ones. */
export async function readContinuations(
  { database }: Pick<Stores, "database">,
  call: Call,
  traces: readonly Pick<TraceRow, "id">[],
): Promise<Map<string, string>> {
  if (traces.length === 0) return new Map();
  const byContinuation = new Map(traces.map(({ id }) => [continuationId(id), id]));
  const values = [call.tenant.applicationId, [...byContinuation.keys()]];
  const found = await database.read<{ id: string }>(call, { name: "continuations", text: existing, values });
  return new Map(found.map(({ id }) => [byContinuation.get(id) ?? "", id]));
}
