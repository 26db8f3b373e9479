import { columnsOf } from "@ems/kit/db/columns";
import { TraceEntity, TraceStepEntity } from "./entity.ts";

/** The columns of TraceRow, of `experiments.trace t`. */
export const traceColumns = columnsOf(TraceEntity, "t");

/** Which partition has the steps of `t`. */
export const monthOfTrace = `date_trunc('month', t.created_at, 'UTC')`;

/** The columns of StoredStep, of `s`. */
export const stepColumns = columnsOf(TraceStepEntity, "s", [
  "traceId",
  "id",
  "parentId",
  "timestamp",
  "type",
  "event",
  "input",
  "output",
  "fields",
]);

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
