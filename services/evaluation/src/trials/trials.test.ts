import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, getReason, invalidField, notFound } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { DefinitionTrialService } from "@ems/proto/evaluation/v1/definition_trial_service";
import { EvaluationSettingsService } from "@ems/proto/evaluation/v1/evaluation_settings_service";
import { ModelConnectionService } from "@ems/proto/evaluation/v1/model_connection_service";
import { EvaluationStatus } from "@ems/proto/experiments/v1/evaluation";
import { definitionTrialsMax } from "@ems/proto/limits";
import { testCall, testTenant } from "@ems/test-support";
import { modelServer } from "@ems/test-support/model-server";
import { afterAll, beforeEach, expect, test } from "vitest";
import { evaluationHarness } from "../../test/harness.ts";

const server = await modelServer();
afterAll(() => server.close());

const traceId = newId();
const harness = await evaluationHarness(
  { MODEL_ALLOW_CIDRS: "127.0.0.1/32" },
  {
    plans: {
      getDraftJudgeDefinition: ({ type, globalConfig }) => {
        if (globalConfig?.criterion === "refused") throw invalidField(["global_config", "criterion"], "Refused");
        return { definition: { type, ...(globalConfig && { globalConfig }) } };
      },
    },
    execution: {
      getExecutionSettings: () => ({}),
      setExecutionSettings: () => ({}),
      getTraceInput: (request) => {
        if (request.traceId !== traceId) throw notFound("Trace");
        return { question: "Price?", output: "It costs 12 euros", context: [], hasRetriever: false };
      },
    },
  },
);
const { database } = harness;
const trials = harness.client(DefinitionTrialService);
const connections = harness.client(ModelConnectionService);
const settings = harness.client(EvaluationSettingsService);
const { CUSTOM, OUTPUT_MATCH } = EvalDefinitionType;

let tenant = testTenant();
beforeEach(() => {
  tenant = testTenant();
});
const asTenant = (key?: string) => {
  const call = testCall(tenant);
  return key === undefined ? call : { ...call, headers: { ...call.headers, "idempotency-key": key } };
};
const value = (json: JsonValue) => fromJson(ValueSchema, json);
const custom = { type: CUSTOM, globalConfig: { criterion: "Polite" }, question: "Price?", answer: "It costs 12 euros" };
const text = JSON.stringify({ quotes: ["It costs 12 euros"], rationale: "It is friendly.", choice: "Y" });
const connect = async (more: object = {}) =>
  (
    await connections.createModelConnection(
      {
        name: "Judge",
        provider: "openai",
        baseUrl: server.url,
        model: "model-a",
        apiKey: "sk-secret-key-of-tests",
        prices: { inputPerMillion: 1, outputPerMillion: 2 },
        ...more,
      },
      asTenant(),
    )
  ).data?.id ?? "";
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error("was answered");
    },
    (error: unknown) => {
      const { code, rawMessage } = ConnectError.from(error);
      return { code, rawMessage, reason: getReason(ConnectError.from(error)) };
    },
  );
const stored = async () =>
  (await database.sql<{ count: number }>("SELECT count(*)::int FROM evaluation.job"))[0]?.count;

test("an output is compared without a model, and the answer says why it fails", async () => {
  const request = { type: OUTPUT_MATCH, globalConfig: { type: "string" }, answer: "12 euros", expected: value("12 €") };
  const { data } = await trials.tryDefinition(request, asTenant());
  expect(data).toMatchObject({ status: EvaluationStatus.COMPLETED, score: 0, passed: false });
  expect(data?.results).toMatchObject({ expected: "12 €", got: "12 euros", reason: expect.stringMatching(/./) });
  expect([data?.model, data?.inputTokens, data?.costMicro]).toEqual([undefined, undefined, undefined]);
});

test("a list with a pattern is compared by the pattern's matches", async () => {
  const extract = { pattern: "\\d+", flags: "g", group: value(0) };
  const { data } = await trials.tryDefinition(
    {
      type: OUTPUT_MATCH,
      globalConfig: { type: "list", matchMode: "exact_unordered", extract },
      answer: "1, 2 and 4",
      expected: value(["1", "2", "3"]),
    },
    asTenant(),
  );
  expect(data?.results).toMatchObject({ gotList: ["1", "2", "4"], tp: 2 });
});

test("a comparison without an expectation is skipped", async () => {
  const { data } = await trials.tryDefinition(
    { type: OUTPUT_MATCH, globalConfig: { type: "string" }, answer: "12" },
    asTenant(),
  );
  expect(data).toMatchObject({ status: EvaluationStatus.SKIPPED, message: expect.stringMatching(/^no_expected: /) });
});

test("a model is called as in a job; its usage is charged, and nothing else is stored", async () => {
  const id = await connect();
  const from = server.requests.length;
  server.script({ kind: "answer", text, usage: { inputTokens: 100, outputTokens: 20 } });
  const { data } = await trials.tryDefinition(custom, asTenant());
  expect(data).toMatchObject({
    status: EvaluationStatus.COMPLETED,
    score: 1,
    passed: true,
    modelConnectionId: id,
    model: "model-a",
    inputTokens: 100n,
    outputTokens: 20n,
    costMicro: 140n,
    durationMs: expect.any(Number),
  });
  expect(data?.judgeVersion).toMatch(/^custom\//);
  expect(data?.results).toMatchObject({ metadata: { choice: "Y", rationale: "It is friendly." } });
  expect(server.requests.length - from).toBe(1);
  expect((await settings.getEvaluationSettings({}, asTenant())).data?.spent?.day).toMatchObject({ tokens: 120n });
  expect(await stored()).toBe(0);
});

test("a trace's answer is judged; an unknown trace is an error", async () => {
  const match = { type: OUTPUT_MATCH, globalConfig: { type: "string" }, expected: value("It costs 12 euros") };
  const { data } = await trials.tryDefinition({ ...match, traceId }, asTenant());
  expect(data).toMatchObject({ passed: true });
  expect(await refusal(trials.tryDefinition({ ...match, traceId: newId() }, asTenant()))).toMatchObject({
    code: Code.NotFound,
    rawMessage: "Trace not found",
  });
});

test("another tenant's model connection is not used", async () => {
  await connect();
  const from = server.requests.length;
  expect(await refusal(trials.tryDefinition(custom, testCall(testTenant())))).toEqual({
    code: Code.FailedPrecondition,
    reason: "NOT_CONFIGURED",
    rawMessage: "The application has no model connection: create one with POST /v0/model-connections",
  });
  expect(server.requests.length).toBe(from);
});

test("a model that fails is a FAILED trial, with its usage", async () => {
  await connect();
  server.script({ kind: "error", status: 500 });
  const { data } = await trials.tryDefinition(custom, asTenant());
  expect(data).toMatchObject({
    status: EvaluationStatus.FAILED,
    message: expect.stringMatching(/^model_unavailable: .*500/),
  });
  expect(data?.passed).toBeUndefined();
});

test("a key that is not accepted pauses the connection, and the next trial says so", async () => {
  const id = await connect();
  server.script({ kind: "error", status: 401 });
  await refusal(trials.tryDefinition(custom, asTenant()));
  const refused = await refusal(trials.tryDefinition(custom, asTenant()));
  expect(refused).toMatchObject({ code: Code.FailedPrecondition, reason: "STATE_CONFLICT" });
  expect(refused.rawMessage).toContain(`POST /v0/model-connections/${id}/test`);
});

test("a spent budget refuses, and says until when; an output match costs nothing and continues", async () => {
  await connect();
  await settings.updateEvaluationSettings({ budgets: { day: { tokens: 1n } } }, asTenant());
  const from = server.requests.length;
  const refused = await refusal(trials.tryDefinition(custom, asTenant()));
  expect(refused).toMatchObject({ code: Code.FailedPrecondition, reason: "RESOURCE_LIMIT_REACHED" });
  expect(refused.rawMessage).toMatch(/^A budget is spent until \d{4}-.*: change it with PUT \/v0\/evaluation-settings/);
  expect(server.requests.length).toBe(from);
  const match = { type: OUTPUT_MATCH, globalConfig: { type: "string" }, answer: "a", expected: value("a") };
  expect((await trials.tryDefinition(match, asTenant())).data?.passed).toBe(true);
});

test("limits of the connection apply to trials, too", async () => {
  await connect({ limits: { requestsPerMinute: 1 } });
  server.script({ kind: "answer", text });
  expect((await trials.tryDefinition(custom, asTenant())).data?.passed).toBe(true);
  expect(await refusal(trials.tryDefinition(custom, asTenant()))).toMatchObject({ reason: "CONCURRENCY_LIMITED" });
});

test("a repetition with the same key gets the first answer, and pays for no other model call", async () => {
  await connect();
  const key = newId();
  server.script({ kind: "answer", text });
  const first = await trials.tryDefinition(custom, asTenant(key));
  const from = server.requests.length;
  expect(await trials.tryDefinition(custom, asTenant(key))).toEqual(first);
  expect(server.requests.length).toBe(from);
  expect(await refusal(trials.tryDefinition({ ...custom, answer: "b" }, asTenant(key)))).toMatchObject({
    reason: "IDEMPOTENCY_KEY_REUSED",
  });
  expect(server.requests.length).toBe(from);
});

test("trials of one application are limited and end in time, and a key in use is refused", async () => {
  await connect();
  server.script(...Array.from({ length: definitionTrialsMax }, () => ({ kind: "hang" as const })));
  const from = server.requests.length;
  const key = newId();
  const call = (headers: Record<string, string> = {}) => {
    const first = testCall(tenant, 6_000);
    return trials.tryDefinition(custom, { ...first, headers: { ...first.headers, ...headers } });
  };
  const hanging = [call({ "idempotency-key": key }), ...Array.from({ length: definitionTrialsMax - 1 }, () => call())];
  await expect.poll(() => server.requests.length, { timeout: 5_000 }).toBe(from + definitionTrialsMax);
  expect(await refusal(call())).toMatchObject({ reason: "CONCURRENCY_LIMITED" });
  expect(await refusal(call({ "idempotency-key": key }))).toMatchObject({ reason: "IDEMPOTENCY_KEY_IN_USE" });
  for (const { data } of await Promise.all(hanging))
    expect(data).toMatchObject({ status: EvaluationStatus.FAILED, message: expect.stringMatching(/^timeout: /) });
});

test("a definition that could not be saved cannot be tried", async () => {
  const refused = { code: Code.InvalidArgument };
  const criterion = { ...custom, globalConfig: { criterion: "refused" } };
  expect(await refusal(trials.tryDefinition(criterion, asTenant()))).toMatchObject(refused);
  const match = { type: OUTPUT_MATCH, globalConfig: { type: "string" } };
  expect(await refusal(trials.tryDefinition(match, asTenant()))).toMatchObject(refused);
  expect(await refusal(trials.tryDefinition({ ...match, answer: "a", traceId }, asTenant()))).toMatchObject(refused);
  expect(await refusal(trials.tryDefinition({ ...match, answer: "a".repeat(200_001) }, asTenant()))).toMatchObject(
    refused,
  );
});
