import { columnsOf } from "@ems/kit/db/columns";
import { TraceEntity } from "./entity.ts";

/** The columns of TraceRow, of `experiments.trace t`. */
export const traceColumns = columnsOf(TraceEntity, "t");

/** By time, then in the order of arrival. */
const stepOrder = `s."timestamp", s.created_at, s."position", s.id`;

/** The rows of StepOfTrace of the trace `$2`. Tokens fit a double, which pg reads as a number. */
export const stepsOfTrace = `
  SELECT s.id, s.parent_id AS "parentId", s.type, s.event, s.name, s."timestamp", s.duration_ms AS "durationMs",
    s.input_tokens::float8 AS "inputTokens", s.output_tokens::float8 AS "outputTokens",
    s.input::text, s.output::text, s.metadata
  FROM experiments.trace t
  JOIN experiments.trace_step s ON s.application_id = t.application_id AND s.trace_id = t.trace_id
  WHERE t.application_id = $1 AND t.id = $2
  ORDER BY ${stepOrder}`;

/** Joins the columns of TraceWithTotals to `experiments.trace t`. */
export const stepTotals = `
  LEFT JOIN LATERAL (
    SELECT coalesce(sum(s.input_tokens), 0)::bigint AS "inputTokens",
      coalesce(sum(s.output_tokens), 0)::bigint AS "outputTokens"
    FROM experiments.trace_step s WHERE s.application_id = t.application_id AND s.trace_id = t.trace_id
  ) totals ON true
  LEFT JOIN LATERAL (
    SELECT s.type, s.event
    FROM experiments.trace_step s WHERE s.application_id = t.application_id AND s.trace_id = t.trace_id
    ORDER BY s.parent_id IS NOT NULL, ${stepOrder} LIMIT 1
  ) root ON true`;
