// Traces as they are read.

/** The columns of ReadTrace, of `experiments.trace t`. */
export const traceColumns = `
  t.application_id AS "applicationId", t.id, t.trace_id AS "traceId", t.reference_id AS "referenceId",
  t.test_id AS "testId", t."timestamp", t.metadata`;

/** The order of steps: by time, and of one time as they came. */
const stepOrder = `s."timestamp", s.created_at, s."position", s.id`;

/** The ReadSteps of the trace `$2`. A step's tokens fit a double, which pg hands over as a number. */
export const stepsOfTrace = `
  SELECT s.id, s.parent_id AS "parentId", s.type, s.event, s.name, s."timestamp", s.duration_ms AS "durationMs",
    s.input_tokens::float8 AS "inputTokens", s.output_tokens::float8 AS "outputTokens",
    s.input::text, s.output::text, s.metadata
  FROM experiments.trace t
  JOIN experiments.trace_step s ON s.application_id = t.application_id AND s.trace_id = t.trace_id
  WHERE t.application_id = $1 AND t.id = $2
  ORDER BY ${stepOrder}`;

/** What the steps of `experiments.trace t` come to: the columns that SummedTrace has beyond ReadTrace. */
export const stepSums = `
  LEFT JOIN LATERAL (
    SELECT coalesce(sum(s.input_tokens), 0)::bigint AS "inputTokens",
      coalesce(sum(s.output_tokens), 0)::bigint AS "outputTokens"
    FROM experiments.trace_step s WHERE s.application_id = t.application_id AND s.trace_id = t.trace_id
  ) sums ON true
  LEFT JOIN LATERAL (
    SELECT s.type, s.event
    FROM experiments.trace_step s WHERE s.application_id = t.application_id AND s.trace_id = t.trace_id
    ORDER BY s.parent_id IS NOT NULL, ${stepOrder} LIMIT 1
  ) root ON true`;
