import { z } from "zod";
import { dt, evaluation, map, optional, runType, testResult } from "./shared.ts";

const json = z.union([map, z.array(z.unknown())]);
const text = optional(z.string());

const commonStep = z.object({
  id: z.string(),
  traceId: z.string(),
  timestamp: dt,
  status: z.enum(["success", "error", "timeout", "pending"]),
  costAmount: optional(z.number()),
  durationMs: optional(z.int()),
  endTime: optional(dt),
  error: text,
  group: text,
  metadata: optional(json),
  name: text,
  params: optional(json),
  parentId: text,
  statusCode: text,
});
const guardrail = {
  guardrailAction: text,
  guardrailTriggered: optional(z.boolean()),
  guardrailType: text,
};
const kind = <T extends string, S extends z.core.$ZodShape>(type: T, shape: S) =>
  z.object({ ...commonStep.shape, type: z.literal(type), ...shape });

/** Kinds of steps, distinguished by `type` and `event`. */
export const step = z.union([
  kind("llm", { event: z.literal("start"), modelId: z.string(), input: z.string() }),
  kind("llm", {
    event: z.literal("end"),
    modelId: z.string(),
    output: text,
    finishReason: text,
    usage: optional(z.object({ promptTokens: z.int(), completionTokens: z.int() })),
  }),
  kind("tool", { toolCallId: text, toolInput: text, toolOutput: text }),
  kind("retriever", { query: z.string(), result: z.string() }),
  kind("reranker", {}),
  kind("embedding", {}),
  kind("agent", { input: text, output: text }),
  kind("guardrail", guardrail),
  kind("evaluator", {
    evaluationExplanation: text,
    evaluationLabel: text,
    evaluatorName: text,
    evaluationScore: optional(z.number()),
  }),
  kind("log", { content: z.string() }),
  kind("group", { key: z.string(), input: text, output: text, ...guardrail }),
  kind("response", { content: z.string() }),
  kind("request", { content: z.string() }),
]);

export const trace = z.object({
  id: z.string(),
  timestamp: dt,
  evals: optional(z.array(evaluation)),
  hasError: optional(z.boolean()),
  metadata: optional(json),
  referenceId: text,
  stepCount: optional(z.int()),
  steps: optional(z.array(step)),
  testId: text,
  totalCompletionTokens: optional(z.int()),
  totalCost: optional(z.number()),
  totalDurationMs: optional(z.int()),
  totalPromptTokens: optional(z.int()),
});

/** The answer for one trace combines this page's shape with that of the specification. */
export const retrievedTrace = z.object({
  ...trace.shape,
  traceId: z.string(),
  applicationId: z.string(),
  type: z.string(),
  event: z.string().nullable(),
  tokens: z.object({ input: z.int(), output: z.int() }),
});

export const ingested = z.object({
  data: z.array(z.object({ success: z.boolean(), id: optional(z.string()), error: optional(z.string()) })),
});

export const test = z.object({
  id: z.string(),
  applicationId: z.string(),
  createdAt: dt,
  evals: z.array(evaluation),
  modifiedAt: dt,
  runId: z.string(),
  runType,
  status: z.enum(["PENDING", "IN_PROGRESS", "COMPLETED", "FAILED"]),
  taskId: z.string(),
  traceId: z.string().nullable(),
  // A strict client requires all numbers, and refuses null.
  result: testResult.optional(),
});

export const listedTest = z.object({
  ...test.shape,
  task: z.object({ id: z.string(), title: z.string(), topicId: optional(z.string()) }),
});

export const run = z.object({
  id: z.string(),
  applicationId: z.string(),
  createdAt: dt,
  modifiedAt: dt,
  type: runType,
  experimentVariantId: text,
  progress: z.object({ completed: z.int(), total: z.int() }),
  result: testResult.extend({ evals: z.array(z.unknown()) }).optional(),
});

export const listedEval = evaluation.extend({ testId: z.string(), traceId: text, taskId: z.string() });

export const annotation = z.object({
  id: z.string(),
  orgId: z.string(),
  title: z.string(),
  description: text,
  createdAt: dt,
  modifiedAt: dt,
  traceStepId: text,
});

export const humanAnnotation = z.object({
  id: z.string(),
  orgId: z.string(),
  applicationId: z.string(),
  traceId: z.string(),
  verdict: z.boolean(),
  source: z.enum(["REVIEW_QUEUE", "TRACE_PAGE", "TEST_PAGE"]),
  critique: text,
  annotatorId: z.string(),
  queueItemId: text,
  issueId: text,
  createdAt: dt,
  modifiedAt: dt,
});

export const documentTest = z.object({
  id: z.string(),
  orgId: z.string(),
  applicationId: z.string(),
  type: z.enum(["KNOWLEDGE_COVERAGE", "MECE", "DOCS_TO_TASKS_MAPPING"]),
  status: z.enum(["PENDING", "IN_PROGRESS", "FAILED", "COMPLETED"]),
  results: z.record(z.string(), z.unknown()).nullable(),
  meceMeanOverlap: z.number().nullable(),
  meceMeanContradictions: z.number().nullable(),
  createdAt: dt,
  modifiedAt: dt,
});

export const annotationQueue = z.object({
  id: z.string(),
  orgId: z.string(),
  applicationId: z.string(),
  topicId: z.string(),
  topicTitle: z.string(),
  assigneeId: z.string(),
  assigneeName: z.string(),
  assigneeEmail: z.string(),
  pendingCount: z.int(),
  completedCount: z.int(),
  createdAt: dt,
});

export const annotationQueueItem = z.object({
  id: z.string(),
  orgId: z.string(),
  applicationId: z.string(),
  queueId: z.string(),
  traceId: z.string(),
  completedAt: dt.nullable(),
  expiresAt: dt,
  createdAt: dt,
});

export const issue = z.object({
  id: z.string(),
  applicationId: z.string(),
  orgId: z.string(),
  title: z.string(),
  description: text,
  summary: text,
  comment: text,
  impact: text,
  source: z.enum(["TEST", "TASK", "TOPIC", "SYSTEM", "MONITORING", "API", "HUMAN_ANNOTATION"]),
  type: z.enum(["BUG", "HUMAN_ANNOTATION", "SUGGESTED_TASK", "USER_SIGNAL"]),
  priority: z.enum(["LOW", "MEDIUM", "HIGH"]),
  status: z.enum(["OPEN", "RESOLVED", "REJECTED"]),
  assignedTo: text,
  assignedUser: optional(z.object({ id: z.string(), email: z.string(), name: z.string() })),
  issues: z.array(z.object({ id: z.string(), title: z.string(), status: z.string() })),
  createdAt: dt,
  modifiedAt: dt,
});

export const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: dt,
  lastUsedAt: optional(dt),
  prefix: z.string(),
  expiresAt: optional(dt),
});
