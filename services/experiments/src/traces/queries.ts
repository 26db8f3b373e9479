import { archivedColumnsOf, clippedTo, type Stores, type TableExtent } from "@ems/kit/archive";
import { columnsOf } from "@ems/kit/db/columns";
import type { Call } from "@ems/kit/rpc/call";
import { TraceEntity, type TraceRow, TraceStepEntity } from "./entity.ts";
import type { StoredStep } from "./step-row.ts";

/** The columns of TraceRow, of `experiments.trace t`. */
export const traceColumns = columnsOf(TraceEntity, "t");

/** Which partition has the steps of `t`. */
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

/** The columns of StoredStep, of `s`. */
export const stepColumns = columnsOf(TraceStepEntity, "s", stepProperties);

export const stepOrder = `s."timestamp", s."position"`;

/** Whether `t` is the trace with the id, of whichever kind. */
export const isTrace = (id: string) => `(t.id = ${id} OR t.earlier_id = ${id})`;

/** The steps of `t`. */
export const stepsOfTrace = `experiments.trace_step s
  WHERE s.application_id = t.application_id AND s.month = ${monthOfTrace} AND s.trace_id = t.id`;

/** The first steps of `t` that together have so many bytes, as `s`; the sum is of what comes before each. */
export const firstSteps = `(
  SELECT s.*, sum(s.size) OVER (ORDER BY ${stepOrder} ROWS UNBOUNDED PRECEDING) - s.size AS before
  FROM ${stepsOfTrace}) s`;

/** The same of the archive's tables. */
export const archivedTraceColumns = archivedColumnsOf(TraceEntity, "t");
const archivedStepColumns = archivedColumnsOf(TraceStepEntity, "s", stepProperties);
const archivedStepOrder = `s."timestamp", s."position"`;

/** Steps of a trace that was dropped, from `skip` on. */
export const archivedSteps = `SELECT ${archivedStepColumns} FROM trace_step s WHERE s.trace_id = {id:UUID}
  ORDER BY ${archivedStepOrder} LIMIT {limit:UInt32} OFFSET {skip:UInt64}`;

/** The first steps of traces, as `firstSteps` of each; with `{most:Bool}` the first one at least. */
const archivedFirstSteps = `SELECT ${archivedStepColumns} FROM (
    SELECT *, sum(f.size) OVER (PARTITION BY f.trace_id ORDER BY f."timestamp", f."position") - f.size AS before
    FROM trace_step f WHERE f.trace_id IN {ids:Array(UUID)}) s
  WHERE s.before + s.size <= {bytes:UInt64} OR ({isAny:Bool} AND s.before = 0) ORDER BY s.trace_id, ${archivedStepOrder}`;

/** The first steps of those traces that were dropped. */
export function readArchivedSteps(
  stores: Stores,
  call: Call,
  dropped: TableExtent,
  traces: readonly Pick<TraceRow, "id" | "createdAt">[],
  { bytes, isAny }: { readonly bytes: number; readonly isAny: boolean },
): Promise<StoredStep[]> {
  const extent = clippedTo(
    dropped,
    traces.map(({ createdAt }) => createdAt),
  );
  const parameters = { ids: traces.map(({ id }) => id), bytes, isAny };
  return stores.readDroppedRows(call, TraceStepEntity, extent, archivedFirstSteps, parameters);
}
