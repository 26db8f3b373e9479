// Reads a complete trace for a judge, without later steps. Of a large trace, only the needed rows are read in full.

import type { Statement } from "@ems/kit/db/database";

export const resultsMax = 200;
export const contextLengthMax = 300_000;

/** Kinds of steps that may contain the question or the answer, in order of precedence. */
export type Source = "explicit" | "root" | "agent" | "call";

/** A payload that may contain the question or the answer. */
export interface Candidate {
  readonly source: Source;
  readonly text: string;
}

/** A retriever's result, shortened in its middle, and the number of results. */
export interface RetrieverResult {
  readonly text: string | null;
  readonly total: number;
}

/** A trace, and the number of its steps to read. */
export interface ReadTrace {
  readonly id: string;
  readonly createdAt: Date;
  readonly steps: number;
}

/** SQL after FROM, with conditions; steps are `s`. */
type From = string;

// The month of the trace is a parameter, so that PostgreSQL opens only one partition. Long texts are fetched only for
// the selected rows.
const stored: From = `traces.trace_step s WHERE s.application_id = $1 AND s.month = $2 AND s.trace_id = $3
    AND s."position" < $4`;

/** Steps that are the parameter, such as those of an archived trace. */
const parameterSteps: From = `json_to_recordset($1::json) AS s (type text, event text, parent_id text, "timestamp" timestamptz,
    "position" integer, input text, output text, fields json) WHERE true`;

const lastFirst = `s."timestamp" DESC, s."position" DESC`;

/**
 * Finds the root steps by their positions. If several steps have no parent, only a group or an agent can be the root. The
 * content of a response or log is never a question.
 */
const roots = (from: From, column: "input" | "output") => `
    SELECT r.number, r.${column} FROM (SELECT s.type, s.${column}, count(*) OVER () AS roots,
        row_number() OVER (ORDER BY s."timestamp", s."position") AS number
      FROM ${from} AND s.parent_id IS NULL) r
    WHERE r.type NOT IN ('response', 'log') AND (r.roots = 1 OR r.type IN ('group', 'agent'))
    ORDER BY r.number LIMIT 3`;

const select = (from: From, column: "input" | "output", condition: string, order: string, limit: number) => `
    SELECT row_number() OVER (ORDER BY ${order}) AS number, s.${column} FROM ${from}
      AND s.${column} <> '' AND ${condition} ORDER BY ${order} LIMIT ${limit}`;

/** Selects candidates in order of precedence; texts.ts decides between them. */
const union = (...parts: readonly (readonly [Source, string])[]) => `
  SELECT source, text FROM (${parts
    .map(([source, part], rank) => `SELECT ${rank} AS rank, '${source}' AS source, p.* FROM (${part}) p (number, text)`)
    .join(" UNION ALL ")}) candidates WHERE text <> '' ORDER BY rank, number`;

const firstFirst = `s."timestamp", s."position"`;
// The outermost agent starts first and ends last.
const lastEnd = `(s.fields ->> 'endTime')::float8 DESC NULLS LAST, ${firstFirst}`;
const succeeded = "s.type = 'llm' AND s.event = 'end' AND coalesce(s.fields ->> 'status', 'success') = 'success'";

const findOutputs = (from: From) =>
  union(
    [
      "explicit",
      `SELECT 1, s.input FROM ${from} AND s.type = 'response' AND s.input <> '' ORDER BY ${lastFirst} LIMIT 1`,
    ],
    ["root", roots(from, "output")],
    ["agent", select(from, "output", "s.type = 'agent'", lastEnd, 2)],
    ["call", select(from, "output", succeeded, lastFirst, 3)],
  );

const findQuestions = (from: From) =>
  union(
    [
      "explicit",
      `SELECT 1, s.input FROM ${from} AND s.type = 'request' AND s.input <> '' ORDER BY ${lastFirst} LIMIT 1`,
    ],
    ["root", roots(from, "input")],
    ["agent", select(from, "input", "s.type = 'agent'", firstFirst, 2)],
    ["call", select(from, "input", "s.type = 'llm'", firstFirst, 3)],
  );

const [outputs, questions] = [findOutputs(stored), findQuestions(stored)];

const context = `
  SELECT r.total, CASE WHEN length(r.output) <= share.max THEN r.output
      ELSE left(r.output, share.max / 2) || E'\\n[... ' || length(r.output) - share.max / 2 * 2
        || E' characters left out ...]\\n' || right(r.output, share.max / 2) END AS text
  FROM (SELECT s.output, s."timestamp", s."position", count(*) OVER ()::integer AS total
    FROM ${stored} AND s.type = 'retriever' ORDER BY s."timestamp", s."position" LIMIT ${resultsMax}) r
  CROSS JOIN LATERAL (SELECT (${contextLengthMax} / least(r.total, ${resultsMax}))::integer AS max) share
  ORDER BY r."timestamp", r."position"`;

const toValues = (applicationId: string, { id, createdAt, steps }: ReadTrace) => [
  ...[applicationId, new Date(Date.UTC(createdAt.getUTCFullYear(), createdAt.getUTCMonth())), id, steps],
];

export const selectOutputs = (applicationId: string, trace: ReadTrace): Statement => ({
  name: "judged-outputs",
  text: outputs,
  values: toValues(applicationId, trace),
});

export const selectQuestions = (applicationId: string, trace: ReadTrace): Statement => ({
  name: "judged-questions",
  text: questions,
  values: toValues(applicationId, trace),
});

export const selectContext = (applicationId: string, trace: ReadTrace): Statement => ({
  name: "judged-context",
  text: context,
  values: toValues(applicationId, trace),
});

export const selectGivenOutputs = (steps: string): Statement => ({
  name: "given-outputs",
  text: findOutputs(parameterSteps),
  values: [steps],
});

export const selectGivenQuestions = (steps: string): Statement => ({
  name: "given-questions",
  text: findQuestions(parameterSteps),
  values: [steps],
});
