import { evaluationScoreSql, testScoreSql } from "@ems/proto/scales";
import {
  type ArchiveSource,
  boolean,
  created,
  date,
  double,
  id,
  identified,
  integer,
  listFilter,
  micro,
  modified,
  reference,
  type Source,
  taskTagFilter,
  text,
} from "./source.ts";
import { feedback, session, step, trace } from "./trace-sources.ts";

const runTypes = ["MANUAL", "SCHEDULED", "EXPERIMENT", "MONITORING"];

/** Selects the sums of a task's tests in runs of these types. */
const selectTests = (types: readonly string[]) => `reporting.task_v1 s
    CROSS JOIN LATERAL (SELECT sum(r.passed_rows)::bigint AS passed_rows, sum(r.passed_true)::bigint AS passed_true,
        sum(r.errored)::bigint AS errored, max(r.last_test_at) AS last_test_at
      FROM reporting.task_run_type_v1 r
      WHERE r.application_id = s.application_id AND r.task_id = s.id AND r.run_type = ANY ('{${types.join(",")}}')) x`;

/** Tasks, with statistics of their tests. */
const task: Source = {
  id: "task",
  from: `reporting.task_v1 s
    LEFT JOIN reporting.task_stat_v1 x ON x.application_id = s.application_id AND x.task_id = s.id`,
  results: { ...text("runType", "Run Type of the Tests"), values: runTypes, select: selectTests },
  columns: [
    ...identified("Task"),
    text("title", "Title"),
    text("description", "Description"),
    text("type", "Task Type", { values: ["NORMAL", "STATIC"] }),
    text("status", "Status", { values: ["DEDUCED", "DRAFT", "ACTIVE", "ARCHIVED"] }),
    reference("topic", "Topic", { isNullable: true }),
    boolean("isVerified", "Verified"),
    // Share of judged tests that passed, rounded to millionths. Default results are those outside experiments.
    micro("passRate", "Pass Rate", {
      sql: "CASE WHEN x.passed_rows > 0 THEN (2000000 * x.passed_true + x.passed_rows) / (2 * x.passed_rows) END",
      isNullable: true,
    }),
    created,
    modified,
    integer("errored", "Errored Tests", { sql: "coalesce(x.errored, 0)" }),
    date("lastTest", "Last Test Date", { sql: "x.last_test_at", isNullable: true }),
  ],
  notArchived: "s.status <> 'ARCHIVED'",
  timeline: ["createdAt"],
};

// Statuses of tests; evaluations can also be skipped.
const resultStatuses = ["PENDING", "IN_PROGRESS", "COMPLETED", "FAILED"];

/** Excludes results of archived tasks and topics; `$1` is the application. */
const resultsNotArchived = `
  s.task_id NOT IN (SELECT id FROM reporting.task_v1 WHERE application_id = $1 AND status = 'ARCHIVED')
  AND (s.topic_id IS NULL OR s.topic_id NOT IN (
    SELECT id FROM reporting.topic_v1 WHERE application_id = $1 AND status = 'ARCHIVED'))`;

const resultBatches = { batches: "reporting.archive_batch_v1", kind: "results" } as const;
const resultsKeptSince = "reporting.results_kept_since_v1()";
const archivedIds = { task_id: "reporting.task_v1", topic_id: "reporting.topic_v1" };

// The views of PostgreSQL in ClickHouse. Rows from before the column `error_cause` are errored if they are FAILED.
const archivedCause = "coalesce(error_cause, if(status = 'FAILED', 'APPLICATION', NULL))";
const archivedTest: ArchiveSource = {
  ...resultBatches,
  tables: ["test"],
  from: `(SELECT * REPLACE (coalesce(modified_at, created_at) AS modified_at, ${archivedCause} AS error_cause,
      if(isNull(${archivedCause}), score_micro, NULL) AS score_micro, if(isNull(${archivedCause}), passed, NULL) AS passed),
    multiIf(status IN ('PENDING', 'IN_PROGRESS'), NULL, isNotNull(${archivedCause}), 'ERRORED', isNull(test.passed), 'NONE',
      test.passed, 'PASSED', 'FAILED') AS outcome,
    if(status IN ('COMPLETED', 'FAILED'), toBool(isNotNull(${archivedCause})), NULL) AS errored
    FROM test) s`,
  ids: archivedIds,
};

const archivedRunType = runTypes
  .slice(1)
  .map((type) => `run_id IN (SELECT run_id FROM test WHERE run_type = '${type}'), '${type}', `)
  .join("");
const archivedEvaluation: ArchiveSource = {
  ...resultBatches,
  tables: ["evaluation", "test"],
  from: `(SELECT * REPLACE (coalesce(modified_at, created_at) AS modified_at,
      if(status = 'FAILED', NULL, score_micro) AS score_micro, if(status = 'FAILED', NULL, passed) AS passed),
    if(status IN ('COMPLETED', 'FAILED', 'SKIPPED'), toBool(status = 'FAILED'), NULL) AS errored,
    multiIf(${archivedRunType}'MANUAL') AS run_type
    FROM evaluation WHERE replaced_by IS NULL) s`,
  ids: archivedIds,
};

/** Tests, which are executions of tasks. */
const test: Source = {
  id: "test",
  from: "reporting.test_v1 s",
  columns: [
    ...identified("Test"),
    reference("task", "Task"),
    reference("topic", "Topic", { isNullable: true }),
    id("runId", "Run ID"),
    text("runType", "Run Type", { values: runTypes }),
    text("status", "Status", { values: resultStatuses }),
    // Null if the score is outside its scale.
    micro("score", "Score", { sql: testScoreSql("s"), isNullable: true }),
    boolean("passed", "Passed", { isNullable: true }),
    text("outcome", "Outcome", { values: ["PASSED", "FAILED", "ERRORED", "NONE"], isNullable: true }),
    // True without the verdict that was due; the mean is the share of tests that errored.
    boolean("errored", "Errored", { isNullable: true }),
    text("errorCause", "Error Cause", { values: ["APPLICATION", "CONFIGURATION", "JUDGE"], isNullable: true }),
    integer("durationMs", "Duration (ms)", { isNullable: true }),
    created,
    modified,
    // Usage of the application's model calls. The cost is null if none is known.
    double("cost", "Cost (USD)", {
      sql: "CASE WHEN s.trace_cost > 0 OR s.trace_unpriced_steps IS NOT NULL THEN s.trace_cost END",
      isNullable: true,
    }),
    integer("unpricedSteps", "Unpriced Steps", { sql: "s.trace_unpriced_steps", isNullable: true }),
    integer("inputTokens", "Input Tokens", { sql: "s.trace_input_tokens", isNullable: true }),
    integer("cachedInputTokens", "Cached Input Tokens", { sql: "s.trace_cached_tokens", isNullable: true }),
    integer("cacheWriteTokens", "Cache Write Tokens", { sql: "s.trace_cache_write_tokens", isNullable: true }),
    integer("outputTokens", "Output Tokens", { sql: "s.trace_output_tokens", isNullable: true }),
    integer("reasoningTokens", "Reasoning Tokens", { sql: "s.trace_reasoning_tokens", isNullable: true }),
  ],
  memberships: [listFilter("definitionId", "Evaluation Definition", "s.definition_ids"), taskTagFilter],
  notArchived: resultsNotArchived,
  archive: archivedTest,
  timeline: ["createdAt"],
  rollup: {
    view: "reporting.test_day_v1 r",
    dimensions: {
      orgId: "r.org_id",
      applicationId: "r.application_id",
      topicId: "r.topic_id",
      runType: "r.run_type",
      status: "r.status",
    },
    sums: { passed: "passed", errored: "errored", score: "score", durationMs: "duration" },
    keptSince: resultsKeptSince,
  },
};

const definition = reference("definition", "Evaluation Definition");

/** Evaluations, which are a test's results by definition. */
const evaluation: Source = {
  id: "eval",
  from: "reporting.evaluation_v1 s",
  columns: [
    ...identified("Evaluation"),
    id("testId", "Test ID"),
    reference("task", "Task"),
    reference("topic", "Topic", { isNullable: true }),
    definition,
    text("definitionType", "Evaluation Type", {
      values: ["NATURALNESS", "STYLE", "RECALL", "FACT", "CUSTOM", "OUTPUT_MATCH"],
    }),
    text("status", "Status", { values: [...resultStatuses, "SKIPPED"] }),
    micro("score", "Score", { sql: evaluationScoreSql("s"), isNullable: true }),
    boolean("passed", "Passed", { isNullable: true }),
    boolean("errored", "Errored", { isNullable: true }),
    id("runId", "Run ID"),
    text("runType", "Run Type", { values: runTypes }),
    integer("inputTokens", "Input Tokens", { isNullable: true }),
    integer("outputTokens", "Output Tokens", { isNullable: true }),
    micro("cost", "Cost (USD)", { sql: "s.cost_micro", isNullable: true }),
    micro("uncertainCost", "Uncertain Cost (USD)", { sql: "s.uncertain_cost_micro", isNullable: true }),
    integer("estimatedTokens", "Estimated Tokens", { isNullable: true }),
    integer("durationMs", "Duration (ms)", { isNullable: true }),
    text("judgeVersion", "Judge Version", { isNullable: true }),
    text("model", "Model", { isNullable: true }),
    created,
    modified,
  ],
  memberships: [taskTagFilter],
  notArchived: resultsNotArchived,
  archive: archivedEvaluation,
  timeline: ["createdAt"],
  rollup: {
    view: "reporting.evaluation_day_v1 r",
    dimensions: {
      orgId: "r.org_id",
      applicationId: "r.application_id",
      topicId: "r.topic_id",
      definitionId: "r.definition_id",
      definitionType: "r.definition_type",
      status: "r.status",
    },
    sums: { passed: "passed", errored: "errored", score: "score" },
    keptSince: resultsKeptSince,
  },
  judgedBy: definition,
};

/** Human reviews of traces. If the trace has no test, its task and topic are null. */
const humanAnnotation: Source = {
  id: "human_annotation",
  from: "reporting.human_annotation_v1 s",
  columns: [
    ...identified("Human Annotation"),
    id("traceId", "Trace ID"),
    id("testId", "Test ID", { isNullable: true }),
    reference("task", "Task", { isNullable: true }),
    reference("topic", "Topic", { isNullable: true }),
    text("annotatorId", "Annotator ID"),
    text("source", "Source", { values: ["REVIEW_QUEUE", "TRACE_PAGE", "TEST_PAGE"] }),
    boolean("verdict", "Verdict"),
    // Null: the verdict is about the whole answer.
    reference("definition", "Evaluation Definition", { isNullable: true }),
    micro("score", "Score", { sql: "s.score_micro", isNullable: true }),
    created,
    modified,
  ],
  notArchived: `(s.task_id IS NULL OR (${resultsNotArchived}))`,
  timeline: ["createdAt"],
};

const topic: Source = {
  id: "topic",
  from: "reporting.topic_v1 s",
  columns: [
    ...identified("Topic"),
    text("title", "Title"),
    text("status", "Status", { values: ["DRAFT", "ACTIVE", "ARCHIVED"] }),
    double("baseline", "Baseline", { isNullable: true }),
    boolean("isInScope", "In Scope"),
    boolean("isTasksVerified", "Tasks Verified"),
    boolean("isDocumentsVerified", "Documents Verified"),
    boolean("isKnowledgeBaseVerified", "Knowledge Base Verified"),
    boolean("isPoliciesVerified", "Policies Verified"),
    text("assignedTo", "Assigned To", { isNullable: true }),
    integer("taskCount", "Task Count"),
    integer("documentCount", "Document Count"),
    created,
    modified,
  ],
  notArchived: "s.status <> 'ARCHIVED'",
  timeline: ["createdAt"],
};

const tag: Source = {
  id: "tag",
  from: "reporting.tag_v1 s",
  columns: [
    ...identified("Tag"),
    text("name", "Name"),
    text("color", "Color"),
    text("status", "Status", { values: ["ACTIVE", "ARCHIVED"] }),
    text("description", "Description", { isNullable: true }),
    integer("taskCount", "Task Count"),
    created,
    modified,
  ],
  notArchived: "s.status <> 'ARCHIVED'",
  timeline: ["createdAt"],
};

export const sources: readonly Source[] = [
  task,
  test,
  evaluation,
  trace,
  step,
  session,
  humanAnnotation,
  feedback,
  topic,
  tag,
];
