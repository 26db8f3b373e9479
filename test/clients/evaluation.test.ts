import { z } from "zod";
import { newClient } from "./client.ts";
import { fixtures, make } from "./fixtures.ts";
import { type Fields, type Operation, order } from "./operation.ts";
import { tryOperations } from "./page.ts";
import { definitionTrial, evaluationSettings, modelConnection, tried } from "./shapes/evaluation.ts";
import { listedEval } from "./shapes/experiments.ts";
import { data, getPage } from "./shapes/shared.ts";

const client = await newClient();
const made = await fixtures(client);
const connection = { name: "Judge", provider: "openai", model: "gpt-4o-mini", apiKey: "sk-of-a-client-1234" };
const create = async (more: Fields = {}): Promise<string> =>
  (await make(client, "POST", "/v0/model-connections", { ...connection, ...more })).data.id;
const priced = { prices: { inputPerMillion: 0.15, outputPerMillion: 0.6 } };
const limits = { requestsPerMinute: 60, tokensPerMinute: 100_000, concurrency: 4 };
const judge = await create({ ...priced, default: true });
const getData = (answer: { data: object }) => ({ ...answer.data });
const [evaluation] = (await make(client, "GET", `/v0/evals?testId=${made.testId}`)).data;

const connections: Record<string, Operation> = {
  "model_connections.create": {
    method: "POST",
    path: () => "/v0/model-connections",
    status: 201,
    answer: data(modelConnection),
    required: () => connection,
    optional: () => ({ ...priced, limits, default: false }),
    echo: getData,
    notEchoed: ["apiKey"],
  },
  "model_connections.create, compatible": {
    method: "POST",
    path: () => "/v0/model-connections",
    status: 201,
    answer: data(modelConnection),
    required: () => ({
      // A public address; nothing is sent there.
      name: "Own",
      provider: "openai-compatible",
      model: "llama",
      baseUrl: "https://1.1.1.1/v1",
    }),
    optional: () => ({ apiKey: "own-1234" }),
    echo: getData,
    notEchoed: ["apiKey"],
  },
  "model_connections.retrieve": {
    method: "GET",
    path: () => `/v0/model-connections/${judge}`,
    status: 200,
    answer: data(modelConnection.extend({ apiKeyLastFour: z.literal("1234"), default: z.literal(true) })),
  },
  "model_connections.update": {
    method: "PUT",
    path: async () => `/v0/model-connections/${await create()}`,
    status: 200,
    answer: data(modelConnection.extend({ apiKeyLastFour: z.string() })),
    required: () => ({ name: "Changed", provider: "openai", model: "gpt-4o" }),
    optional: () => ({ apiKey: "sk-another-client-5678", ...priced, limits, default: false }),
    echo: getData,
    notEchoed: ["apiKey"],
  },
  "model_connections.list": {
    method: "GET",
    path: () => "/v0/model-connections",
    status: 200,
    answer: getPage(modelConnection),
    query: { orderBy: order("createdAt", "modifiedAt", "id") },
  },
  // The tests' DNS servers cannot resolve the provider's name, and the answer reports this.
  "model_connections.test": {
    method: "POST",
    path: () => `/v0/model-connections/${judge}/test`,
    status: 200,
    answer: tried.extend({ ok: z.literal(false), error: z.string() }),
    required: () => ({}),
  },
  "model_connections.delete": {
    method: "DELETE",
    path: async () => `/v0/model-connections/${await create()}`,
    status: 204,
  },
};

const settings: Record<string, Operation> = {
  "evaluation_settings.retrieve": {
    method: "GET",
    path: () => "/v0/evaluation-settings",
    status: 200,
    answer: data(evaluationSettings),
  },
  "evaluation_settings.update": {
    method: "PUT",
    path: () => "/v0/evaluation-settings",
    status: 200,
    answer: data(evaluationSettings),
    required: () => ({}),
    optional: () => ({
      defaultConnectionId: judge,
      votes: 3,
      monitoring: { sampleRate: 0.25 },
      testTimeoutMs: 60_000,
      budgets: { day: { money: 5, tokens: 1_000_000 }, month: { money: 50.5, tokens: 10_000_000 } },
    }),
    echo: getData,
  },
};

const evaluations: Record<string, Operation> = {
  "evals.retrieve": {
    method: "GET",
    path: () => `/v0/evals/${evaluation.id}`,
    status: 200,
    answer: data(listedEval.extend({ id: z.literal(evaluation.id), testId: z.literal(made.testId) })),
  },
  "evals.rerun, by ids": {
    method: "POST",
    path: () => "/v0/evals/rerun",
    status: 200,
    answer: z.object({ count: z.int(), remaining: z.int() }),
    required: () => ({ ids: [evaluation.id] }),
  },
  "evals.rerun, by a filter": {
    method: "POST",
    path: () => "/v0/evals/rerun",
    status: 200,
    answer: z.object({ count: z.int(), remaining: z.int() }),
    required: () => ({ runId: made.run.id }),
    optional: () => ({ definitionId: made.match.id, status: ["FAILED", "SKIPPED"] }),
  },
};

const trial = { type: "OUTPUT_MATCH", globalConfig: { type: "string" } };
const passes = definitionTrial.extend({ status: z.literal("COMPLETED"), passed: z.literal(true), score: z.literal(1) });

const trials: Record<string, Operation> = {
  "definitions.try": {
    method: "POST",
    path: () => "/v0/definitions/try",
    status: 200,
    answer: data(definitionTrial.extend({ status: z.literal("SKIPPED"), message: z.string() })),
    required: () => ({ ...trial, answer: "It costs nothing." }),
  },
  "definitions.try, what is expected": {
    method: "POST",
    path: () => "/v0/definitions/try",
    status: 200,
    answer: data(passes),
    required: () => ({ ...trial, answer: "It costs nothing.", expected: "It costs nothing." }),
    optional: () => ({ question: "What does it cost?", context: ["Nothing for two years."] }),
  },
  // The tests' DNS servers cannot resolve the provider's name, and the trial reports this.
  "definitions.try, by a model and on a trace": {
    method: "POST",
    path: () => "/v0/definitions/try",
    status: 200,
    answer: data(definitionTrial.extend({ status: z.literal("FAILED"), message: z.string() })),
    required: () => ({ type: "CUSTOM", globalConfig: { criterion: "It is polite." }, traceId: made.traceId }),
  },
};

tryOperations(client, { ...trials, ...connections, ...settings, ...evaluations });
