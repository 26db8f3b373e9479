import { z } from "zod";
import { newClient } from "./client.ts";
import { fixtures } from "./fixtures.ts";
import { from, many, type Operation, order, until } from "./operation.ts";
import { tryOperations } from "./page.ts";
import { annotation, apiKey, issue, listedEval, listedTest, run, test } from "./shapes/experiments.ts";
import { application, data, evalResults, getPage } from "./shapes/shared.ts";

const client = await newClient();
const made = await fixtures(client);
const other = "00000000-0000-0000-0000-000000000000";
const runTypes = { some: ["MANUAL", "MONITORING"], none: ["SCHEDULED", "EXPERIMENT"] };
const statuses = { some: ["COMPLETED"], none: ["PENDING", "IN_PROGRESS", "FAILED"] };

const tests: Record<string, Operation> = {
  "tests.retrieve": {
    method: "GET",
    path: () => `/v0/tests/${made.testId}`,
    status: 200,
    answer: z.object({ test: test.extend({ evals: test.shape.evals.min(1), traceId: z.literal(made.traceId) }) }),
  },
  "tests.list": {
    method: "GET",
    path: () => "/v0/tests",
    status: 200,
    answer: getPage(listedTest),
    query: {
      orderBy: order("createdAt", "modifiedAt", "status", "id"),
      startDate: from,
      endDate: until,
      evalDefinitionId: many({ matching: [made.match.id], none: [other] }),
      experimentVariantId: many({ none: [other] }),
      passRateStatuses: many({ matching: ["success", "error"], none: ["warning"] }),
      runType: many(runTypes),
      status: many(statuses),
      tagId: many({ matching: [made.tag.id, "__none__"], none: [other] }),
      taskId: many({ matching: [made.task.id], none: [other] }),
    },
  },
  "evals.list": {
    method: "GET",
    path: () => "/v0/evals",
    status: 200,
    answer: getPage(listedEval),
    query: {
      testId: { matching: [made.testId], none: [other] },
      traceId: { matching: [made.traceId], none: [other] },
      definitionId: { matching: [made.match.id], none: [other] },
      status: { matching: ["COMPLETED"], none: ["SKIPPED"] },
      startDate: from,
      endDate: until,
    },
  },
  "runs.list": { method: "GET", path: () => "/v0/runs", status: 200, answer: getPage(run), query: {} },
  "runs.retrieve": { method: "GET", path: () => `/v0/runs/${made.run.id}`, status: 200, answer: z.object({ run }) },
};

const parts = {
  naturalness: { analysis: "good", clarity: 5, coherence: 4, engagingness: 3, naturalness: 5, relevance: 4 },
  style: { analysis: "# fine", score: 4 },
  recall: {
    AnswerRelevancy: {
      name: "AnswerRelevancy",
      score: 1,
      metadata: { questions: [{ question: "a?" }], similarity: [{ question: "a?", score: 0.5 }] },
    },
    ContextPrecision: { name: "ContextPrecision", score: 1, metadata: { reason: "r", verdict: 1 } },
    ContextRelevancy: {
      name: "ContextRelevancy",
      score: 0.5,
      metadata: { relevantSentences: [{ reasons: ["r"], sentence: "s" }] },
    },
    Faithfulness: {
      name: "Faithfulness",
      score: 0,
      metadata: {
        statements: ["s"],
        faithfulness: [{ reason: "r", statement: "s", verdict: 0, classification: "SCOPE_DRIFT" }],
      },
    },
  },
  custom: { name: "polite", score: 1, metadata: { rationale: "it is", choice: "Y" } },
  fact: { score: 0.5, classification: { TP: ["a"], FP: [], FN: ["b"] }, precision: 1, recall: 0.5 },
  "output match": {
    reason: "partly",
    score: 0.5,
    expectedList: ["a", "b"],
    gotList: ["a"],
    matchMode: "contains",
    scoreMetric: "recall",
    recall: 0.5,
    tp: 1,
    missing: [{ have: 0, need: 1, value: "b" }],
  },
};

const recorded = Object.fromEntries(
  Object.entries(parts).map(([name, results]): [string, Operation] => [
    `tests.results, ${name}`,
    {
      method: "POST",
      path: () => "/v0/tests/results",
      status: 201,
      answer: z.object({ testIds: z.array(z.string()).length(1) }),
      required: () => {
        evalResults.parse(results);
        const evaluation = { definitionId: made.match.id, results, message: "told", passed: true, score: 0.5 };
        return { tests: [{ taskId: made.untagged.id, evaluations: [evaluation] }] };
      },
    },
  ]),
);

const further: Record<string, Operation> = {
  "applications.retrieve": {
    method: "GET",
    path: () => `/v0/applications/${client.applicationId}`,
    status: 200,
    answer: data(application),
  },
  "applications.list": {
    method: "GET",
    path: () => "/v0/applications",
    status: 200,
    answer: getPage(application),
    query: {
      orderBy: order("createdAt", "modifiedAt", "title", "slug", "type", "environment", "id"),
      environment: { matching: ["DEV"], none: ["PROD"] },
      humanAnnotationEnabled: { any: ["true", "false"] },
      slug: { none: ["nothing-of-this"] },
      type: { matching: ["CHATBOT"], none: ["AGENT"] },
    },
  },
  "api_keys.list": { method: "GET", path: () => "/v0/api-keys", status: 200, answer: getPage(apiKey), query: {} },
  "issues.create": {
    method: "POST",
    path: () => "/v0/issues",
    status: 204,
    required: () => ({ source: "API", title: "Wrong fee" }),
    optional: () => ({
      annotationId: made.annotation.id,
      description: "The fee is wrong",
      evalDefinitionId: made.match.id,
      experimentId: made.experiment.id,
      priority: "HIGH",
      taskId: made.task.id,
      testId: made.testId,
      topicId: made.topic.id,
      traceId: made.traceId,
      type: "BUG",
    }),
  },
  "annotations.create": {
    method: "POST",
    path: () => "/v0/annotations",
    status: 201,
    answer: data(annotation),
    required: () => ({ title: "New prompt" }),
    optional: () => ({ description: "Shorter", createdAt: "2026-11-01T10:00:00.000Z" }),
    echo: (answer: { data: object }) => ({ ...answer.data }),
  },
  "annotations.update": {
    method: "PUT",
    path: () => `/v0/annotations/${made.annotation.id}`,
    status: 200,
    answer: data(annotation),
    required: () => ({ title: "Changed" }),
    optional: () => ({ description: "Longer" }),
    echo: (answer: { data: object }) => ({ ...answer.data }),
  },
  ...Object.fromEntries(
    [1793613600000, "1793613600000", "2026-11-02T10:00:00Z", "1793613600", undefined].map(
      (timestamp): [string, Operation] => [
        `validate_webhook, timestamp ${timestamp}`,
        {
          method: "POST",
          path: () => "/v0/validate-webhook",
          status: 200,
          answer: z.object({ valid: z.literal(false) }),
          required: () => ({
            signature: "sha256=00",
            body: { applicationId: client.applicationId, prompt: { a: 1 }, testId: made.testId, surprise: [1] },
            ...(timestamp !== undefined && { timestamp }),
          }),
        },
      ],
    ),
  ),
  "quickstarts.assignments.bulk": {
    method: "PUT",
    path: () => `/v0/quickstarts/${made.quickstart.id}/assignments/bulk`,
    status: 200,
    answer: z.object({ count: z.literal(1) }),
    required: () => ({ ids: [made.assignment.id], assignedTo: "user-2" }),
  },
  "annotations.retrieve": {
    method: "GET",
    path: () => `/v0/annotations/${made.annotation.id}`,
    status: 200,
    answer: data(annotation),
  },
  "issues.update": {
    method: "PUT",
    path: () => `/v0/issues/${made.issue.id}`,
    status: 200,
    answer: data(issue),
    optional: () => ({
      title: "Wrong fees",
      summary: "All of them",
      comment: "Since Monday",
      status: "OPEN",
      priority: "HIGH",
      assignedTo: "user-2",
      topicId: made.topic.id,
      taskId: made.task.id,
      testId: made.testId,
      evalDefinitionId: made.match.id,
      annotationId: made.annotation.id,
      traceId: made.traceId,
    }),
    echo: (answer: { data: object }) => ({ ...answer.data }),
  },
  "issues.update many": {
    method: "PATCH",
    path: () => "/v0/issues",
    status: 200,
    answer: z.object({ data: z.array(issue) }),
    required: () => ({ issueIds: [made.issue.id] }),
    optional: () => ({ status: "OPEN", priority: "LOW", assignedTo: "user-1" }),
  },
  "issues.minimal": {
    method: "GET",
    path: () => "/v0/issues/minimal",
    status: 200,
    answer: getPage(z.object({ id: z.string(), title: z.string() })),
    query: { status: { matching: ["OPEN"] } },
  },
  "issues.list": {
    method: "GET",
    path: () => "/v0/issues",
    status: 200,
    answer: getPage(issue),
    query: {
      status: { matching: ["OPEN"], none: ["REJECTED"] },
      priority: { any: ["LOW", "HIGH"] },
      source: { matching: ["API"], none: ["SYSTEM"] },
      type: { matching: ["SUGGESTED_TASK"], none: ["USER_SIGNAL"] },
      assignedTo: { any: ["user-1"] },
    },
  },
  "issues.suggested task": {
    method: "PUT",
    path: () => `/v0/issues/${made.suggestion.id}/suggested-task`,
    status: 200,
    answer: z.object({ task: z.object({ id: z.string(), status: z.literal("ACTIVE") }) }),
    required: () => ({ title: "Ask a fee", description: "What it costs", topicId: made.topic.id }),
    echo: (answer: { task: object }) => ({ ...answer.task }),
  },
  "annotations.list": {
    method: "GET",
    path: () => "/v0/annotations",
    status: 200,
    answer: getPage(annotation),
    query: { startDate: from, endDate: until },
  },
};

tryOperations(client, { ...tests, ...recorded, ...further });
