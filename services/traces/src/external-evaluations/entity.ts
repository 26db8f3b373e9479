import { double, nullable, type Row, storableText, table, text, timestamp, uuid } from "@ems/kit/db/table";

/** Name of the OpenTelemetry event with the result of an evaluation. */
export const evaluationEvent = "gen_ai.evaluation.result";

export type ExternalEvaluationRow = Row<typeof ExternalEvaluationEntity>;

/** Evaluation of a trace by another tool. It has no scale and counts in no pass rate. The trace may arrive later. */
export const ExternalEvaluationEntity = table(
  "traces.external_evaluation",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    /** Null until a span has the response that the evaluation names. */
    traceId: nullable(uuid),
    /** The trace in whose context the evaluation was sent. Of several traces with the response, it takes precedence. */
    contextId: nullable(uuid),
    /** Model call of the named response. Null if there is none, or if the trace is final. */
    callId: nullable(uuid),
    name: storableText,
    score: nullable(double),
    label: nullable(storableText),
    explanation: nullable(storableText),
    source: storableText,
    createdAt: timestamp,
  },
  {
    indices: [
      { name: "external_evaluation_trace", columns: ["applicationId", "traceId", "createdAt", "id"] },
      { name: "external_evaluation_name", columns: ["applicationId", "name", "createdAt", "id"] },
      { name: "external_evaluation_created", columns: ["applicationId", "createdAt", "id"] },
      {
        name: "external_evaluation_call",
        columns: ["applicationId", "callId"],
        where: "(call_id IS NOT NULL)",
      },
    ],
  },
);

/** Names of an application's external evaluations. */
export const EvaluationNameEntity = table(
  "traces.evaluation_name",
  { applicationId: uuid, name: storableText },
  { primaryKey: ["applicationId", "name"] },
);
