// Datasources of the traces service: traces, their steps, and feedback of end users.

import {
  type ArchiveSource,
  boolean,
  type Column,
  created,
  date,
  double,
  id,
  identified,
  integer,
  modified,
  type Source,
  text,
} from "./source.ts";

const tracesArchive = { batches: "reporting.trace_archive_batch_v1", kind: "traces", ids: {} } as const;

/** Conversation of the application's end users, by its id in the application. */
const sessionName = text("session", "Session", { isNullable: true });
/** The process that created the trace, from the resource of its spans. */
const origin = [
  text("service", "Service", { isNullable: true }),
  text("version", "Version", { isNullable: true }),
  text("environment", "Environment", { isNullable: true }),
];
const user = text("user", "User", { sql: "s.end_user", isNullable: true });
/** The mean is the share of errors. */
const errored = (sql: string) => boolean("errored", "Errored", { sql });
const started = date("timestamp", "Started");

/** Columns of token counts; `sqls` has the SQL of each kind. Without usage, they are null. */
function tokens(sqls: readonly string[], isNullable: boolean): Column[] {
  const names = [
    ["inputTokens", "Input Tokens"],
    ["cachedInputTokens", "Cached Input Tokens"],
    ["cacheWriteTokens", "Cache Write Tokens"],
    ["outputTokens", "Output Tokens"],
    ["reasoningTokens", "Reasoning Tokens"],
  ] as const;
  return names.map(([id, name], at) => integer(id, name, { sql: sqls[at] ?? "", isNullable }));
}

const knownCost = (bit: string) => `CASE WHEN priced_steps > 0 OR total_cost > 0 OR ${bit} > 0 THEN total_cost END`;
const archivedTrace: ArchiveSource = {
  ...tracesArchive,
  tables: ["trace"],
  from: `(SELECT *, ${knownCost("bitAnd(pinned, 4)")} AS known_cost FROM trace) s`,
};

/** Traces. */
export const trace: Source = {
  id: "trace",
  from: "reporting.trace_v1 s",
  columns: [
    ...identified("Trace"),
    text("referenceId", "Reference ID", { isNullable: true }),
    id("testId", "Test ID", { isNullable: true }),
    text("type", "Type"),
    text("status", "Status", {
      sql: "CASE WHEN s.has_error THEN 'error' ELSE 'success' END",
      values: ["success", "error"],
    }),
    errored("s.has_error"),
    user,
    sessionName,
    ...origin,
    integer("stepCount", "Steps"),
    integer("durationMs", "Duration (ms)", { sql: "s.total_duration_ms" }),
    double("cost", "Cost (USD)", { sql: "s.known_cost", isNullable: true }),
    integer("unpricedSteps", "Unpriced Steps"),
    ...tokens(
      [
        "s.total_prompt_tokens",
        "s.total_cached_tokens",
        "s.total_cache_write_tokens",
        "s.total_completion_tokens",
        "s.total_reasoning_tokens",
      ],
      false,
    ),
    started,
    created,
    modified,
  ],
  notArchived: "TRUE",
  archive: archivedTrace,
  timeline: ["createdAt"],
};

const jsonText = (name: string) => `JSONExtract(s.fields, '${name}', 'Nullable(String)')`;
const jsonUsage = (kind: string) =>
  `if(JSONHas(s.fields, 'usage'), JSONExtractInt(s.fields, 'usage', '${kind}'), NULL)`;

// The view of PostgreSQL in ClickHouse, where `fields` is text.
const archivedStep: ArchiveSource = {
  ...tracesArchive,
  tables: ["trace_step", "trace"],
  from: `(SELECT s.application_id AS application_id, t.org_id AS org_id, s.id AS id, s.trace_id AS trace_id, t.test_id AS test_id,
    s.type AS type, t.end_user AS end_user, t.session AS session,
    t.service AS service, t.version AS version, t.environment AS environment, s.created_at AS created_at, s.timestamp AS timestamp,
    ifNull(${jsonText("status")}, 'success') AS status,
    ${jsonText("name")} AS name,
    if(s.type = 'tool', ${jsonText("name")}, NULL) AS tool,
    nullIf(${jsonText("modelId")}, '') AS model,
    JSONExtract(s.fields, 'own', 'provider', 'Nullable(String)') AS provider,
    ${jsonText("error")} AS error,
    JSONExtract(s.fields, 'durationMs', 'Nullable(Int64)') AS duration_ms,
    JSONExtract(s.fields, 'costAmount', 'Nullable(Float64)') AS cost,
    toInt32(JSONExtractBool(s.fields, 'isUnpriced')) AS unpriced_steps,
    ${jsonUsage("promptTokens")} AS input_tokens,
    ${jsonUsage("cachedTokens")} AS cached_input_tokens,
    ${jsonUsage("cacheWriteTokens")} AS cache_write_tokens,
    ${jsonUsage("completionTokens")} AS output_tokens,
    ${jsonUsage("reasoningTokens")} AS reasoning_tokens
    FROM trace_step s ANY INNER JOIN
      (SELECT id AS key, org_id, test_id, end_user, session, service, version, environment FROM trace) t ON t.key = s.trace_id) s`,
};

/** Types of steps, as in the contract of traces. */
const stepTypes = "llm tool retriever reranker agent embedding guardrail evaluator log group request response".split(
  " ",
);

/** Steps of traces. `createdAt` is the time at which the trace arrived. */
export const step: Source = {
  id: "step",
  from: "reporting.step_v1 s",
  key: ["traceId"],
  columns: [
    ...identified("Step"),
    id("traceId", "Trace ID"),
    id("testId", "Test ID", { isNullable: true }),
    text("type", "Type", { values: stepTypes }),
    text("status", "Status"),
    errored("(s.status = 'error')"),
    text("name", "Name", { isNullable: true }),
    text("model", "Model", { isNullable: true }),
    text("provider", "Provider", { isNullable: true }),
    text("tool", "Tool", { isNullable: true }),
    text("error", "Error", { isNullable: true }),
    user,
    sessionName,
    ...origin,
    integer("durationMs", "Duration (ms)", { isNullable: true }),
    double("cost", "Cost (USD)", { isNullable: true }),
    integer("unpricedSteps", "Unpriced Steps"),
    ...tokens(
      ["s.input_tokens", "s.cached_input_tokens", "s.cache_write_tokens", "s.output_tokens", "s.reasoning_tokens"],
      true,
    ),
    started,
    created,
  ],
  notArchived: "TRUE",
  archive: archivedStep,
  timeline: ["createdAt"],
  rollup: {
    view: "reporting.step_day_v1 r",
    dimensions: {
      orgId: "r.org_id",
      applicationId: "r.application_id",
      type: "r.type",
      status: "r.status",
      model: "r.model",
      provider: "r.provider",
    },
    sums: {
      errored: "errored",
      durationMs: "duration",
      cost: "cost",
      unpricedSteps: "unpriced",
      inputTokens: "input",
      cachedInputTokens: "cached",
      cacheWriteTokens: "writes",
      outputTokens: "output",
      reasoningTokens: "reasoning",
    },
    withoutExtremes: [
      "durationMs",
      "cost",
      "unpricedSteps",
      "inputTokens",
      "cachedInputTokens",
      "cacheWriteTokens",
      "outputTokens",
      "reasoningTokens",
    ],
    histograms: { durationMs: "reporting.step_day_duration_v1 r" },
    start: "reporting.step_day_start_v1",
  },
};

/** Sessions with traces in PostgreSQL: totals of those. */
export const session: Source = {
  id: "session",
  from: "reporting.session_v1 s",
  columns: [
    ...identified("Session"),
    text("externalId", "Session"),
    user,
    integer("turns", "Turns"),
    integer("errors", "Turns With Errors"),
    errored("(s.errors > 0)"),
    integer("durationMs", "Duration (ms)"),
    double("cost", "Cost (USD)", { isNullable: true }),
    integer("unpricedSteps", "Unpriced Steps"),
    ...tokens(
      ["s.input_tokens", "s.cached_input_tokens", "s.cache_write_tokens", "s.output_tokens", "s.reasoning_tokens"],
      false,
    ),
    date("startedAt", "Started"),
    date("lastAt", "Last Turn"),
    created,
  ],
  notArchived: "TRUE",
  timeline: ["createdAt"],
};

/** Feedback of end users, which is separate from human reviews. */
export const feedback: Source = {
  id: "feedback",
  from: "reporting.feedback_v1 s",
  columns: [
    ...identified("Feedback"),
    id("traceId", "Trace ID"),
    text("source", "Source", { values: ["API", "OTLP"] }),
    text("thumb", "Thumb", { values: ["UP", "DOWN"], isNullable: true }),
    // The mean is the share of thumbs up.
    boolean("helpful", "Helpful", { sql: "s.thumb = 'UP'", isNullable: true }),
    double("score", "Score", { isNullable: true }),
    user,
    created,
  ],
  notArchived: "TRUE",
  timeline: ["createdAt"],
};
