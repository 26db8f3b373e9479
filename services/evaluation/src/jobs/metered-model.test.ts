// The charge for a call, for each way in which the call can end.

import { newId } from "@ems/kit/id";
import { testTenant } from "@ems/test-support";
import { expect, test, vi } from "vitest";
import { jobsHarness } from "../../test/jobs-harness.ts";
import { judge, type ModelAnswer, type ModelCaller, ModelFault, type ModelRequest } from "../judges/index.ts";
import { tokensMax } from "../model/index.ts";
import { MeteredModel } from "./metered-model.ts";

const harness = await jobsHarness();
const { budgets, clock, connection, limits, sql } = harness;

const schema = { name: "answer", json: {}, parse: (value: unknown) => value };
const request = (more: Partial<ModelRequest<unknown>> = {}): ModelRequest<unknown> => ({
  system: "judge",
  prompt: "answer",
  schema,
  temperature: 0,
  maxOutputTokens: 10,
  signal: AbortSignal.timeout(60_000),
  ...more,
});
const reserved = 1_000 + "judge".length + "answer".length + "{}".length + 10;

const connections = { find: async () => undefined, succeeded: async () => undefined, failed: async () => false };
const meter = { limits, budgets, connections, clock, newId, callTimeoutMs: 60_000 };

/** Makes one call; returns the spend after it, and the usage counted for the job. */
async function charged(answer: (request: ModelRequest<never>) => Promise<ModelAnswer<never>>, sent = request()) {
  const tenant = testTenant();
  const found = { ...connection(async () => undefined), caller: { generate: answer as ModelCaller["generate"] } };
  const model = new MeteredModel(meter, tenant, found, null);
  await model.generate(sent).catch(() => undefined);
  const [spent] = await sql<Record<string, number>>(
    `SELECT tokens::int, cost_micro::int, uncertain_tokens::int, uncertain_cost_micro::int, estimated_tokens::int,
       estimated_cost_micro::int,
       (SELECT sum(estimated_tokens)::int FROM evaluation.model_call WHERE application_id = $1) AS call
     FROM evaluation.spending WHERE application_id = $1 AND period = 'day'`,
    [tenant.applicationId],
  );
  const { inputTokens, outputTokens, estimatedTokens, uncertainCostMicro } = model.consumed;
  return {
    certain: [spent?.tokens, spent?.cost_micro, inputTokens + outputTokens],
    estimated: [spent?.estimated_tokens, spent?.estimated_cost_micro, spent?.call, estimatedTokens],
    uncertain: [spent?.uncertain_tokens, spent?.uncertain_cost_micro, uncertainCostMicro],
  };
}

const failing = (fault: Error) => () => Promise.reject(fault);
const unsent = ({ transmission }: ModelRequest<never>) => {
  if (transmission !== undefined) transmission.state = "unsent";
  return Promise.reject(new ModelFault("unavailable", "no"));
};
const uncertain = { certain: [0, 0, 0], estimated: [0, 0, 0, 0], uncertain: [reserved, reserved, reserved] };
const usage = { inputTokens: 7, outputTokens: 4 };

test.each([
  ["an answer", () => Promise.resolve({ object: {} as never, usage, model: "m" }), 11],
  ["an answer that breaks the schema", failing(new ModelFault("schema", "no", { usage })), 11],
  ["a refusal with its tokens", failing(new ModelFault("refused", "no", { usage })), 11],
  ["429", failing(new ModelFault("rate_limited", "busy", { status: 429 })), 0],
  ["401", failing(new ModelFault("rejected", "key", { status: 401 })), 0],
  ["a call that was not sent", unsent, 0],
])("%s is charged the provider's count: %d", async (_, answer, tokens) => {
  const certain = [tokens, tokens, tokens];
  expect(await charged(answer)).toEqual({ certain, estimated: [0, 0, 0, 0], uncertain: [0, 0, 0] });
});

const noUsage = { inputTokens: 0, outputTokens: 0 };
/** One token per four bytes of the request's texts "judge", "answer" and "{}". */
const requestTokens = Math.ceil(13 / 4);
const answered =
  (textBytes: number, end: () => Promise<ModelAnswer<never>>) =>
  ({ transmission }: ModelRequest<never>) => {
    Object.assign(transmission ?? {}, { state: "answered", answer: { textBytes, usage: {} } });
    return end();
  };
test.each([
  ["an answer that cannot be read", failing(new ModelFault("schema", "form", { status: 200 })), requestTokens],
  ["a refusal without tokens", failing(new ModelFault("refused", "no", { usage: noUsage })), requestTokens],
  [
    "an answer without tokens",
    () => Promise.resolve({ object: {} as never, usage: noUsage, model: "m" }),
    requestTokens + Math.ceil("{}".length / 4),
  ],
  ["an answer of 20 bytes and an error of ours", answered(20, failing(new Error("bug"))), requestTokens + 5],
  ["an answer longer than allowed", answered(1_000_000, failing(new ModelFault("schema", "no"))), requestTokens + 10],
])("%s is charged the estimate from its texts: %d", async (_, answer, tokens) => {
  const certain = [tokens, tokens, tokens];
  expect(await charged(answer)).toEqual({ certain, estimated: [...certain, tokens], uncertain: [0, 0, 0] });
});

test("one unknown count is estimated, and the other is the provider's", async () => {
  const answer = () => Promise.resolve({ object: {} as never, usage: { inputTokens: 7 }, model: "m" });
  expect(await charged(answer)).toEqual({ certain: [8, 8, 8], estimated: [1, 1, 1, 1], uncertain: [0, 0, 0] });
});

test.each([
  ["no answer in time", failing(new ModelFault("unavailable", "No answer within 1000 ms"))],
  ["a connection that broke", failing(new ModelFault("unavailable", "reset"))],
  ["an error of ours", failing(new Error("bug"))],
])("%s, which the provider may have counted, is uncertain and charged its reservation", async (_, answer) => {
  expect(await charged(answer)).toEqual(uncertain);
});

test("a canceled call is uncertain", async () => {
  const stopping = new AbortController();
  const stopped = () => {
    stopping.abort(new Error("shutdown"));
    return Promise.reject(stopping.signal.reason);
  };
  expect(await charged(stopped, request({ signal: stopping.signal }))).toEqual(uncertain);
});

test("a connection without prices is not called under a budget in money", async () => {
  const tenant = testTenant();
  const { applicationId, orgId } = tenant;
  const budget = { dayMoneyMicro: "1000000", dayTokens: null, monthMoneyMicro: null, monthTokens: null };
  const setting = { ...budget, applicationId, orgId, defaultConnectionId: null, votes: 1, modifiedAt: clock.now() };
  const generate = vi.fn();
  const found = { ...connection(async () => undefined), cost: undefined, caller: { generate } };
  const model = new MeteredModel(meter, tenant, found, setting);
  await expect(model.generate(request())).rejects.toMatchObject({
    kind: "rejected",
    message: "The model connection has no prices, which a budget in money requires",
  });
  expect(generate).not.toHaveBeenCalled();
});

test("no request is larger than the bound in the README", async () => {
  const sizes: number[] = [];
  const model = {
    generate: (sent: ModelRequest<never>) => {
      const { inputTokens, outputTokens } = tokensMax(sent);
      sizes.push(inputTokens + outputTokens);
      return Promise.reject(new ModelFault("refused", "enough"));
    },
  };
  // Three bytes per character, which is the maximum of UTF-8 for one UTF-16 unit.
  const long = "\u20ac".repeat(200_000);
  const section = { heading: "H", content: "\u20ac".repeat(16 * 1024 - 1) };
  const definition = { name: "D", criterion: long, groundTruth: long, styleGuide: [section] };
  for (const type of ["CUSTOM", "FACT", "NATURALNESS", "RECALL", "STYLE"] as const) {
    const context = Array.from({ length: 200 }, () => long);
    const input = {
      question: long,
      output: long,
      context,
      hasRetriever: true,
      facts: [long],
      expected: long,
      votes: 1,
    };
    const deps = { model, random: (size: number) => Buffer.alloc(size, 1), signal: AbortSignal.timeout(60_000) };
    await judge({ ...input, definition: { ...definition, type } }, deps);
  }
  expect(sizes.length).toBe(5);
  expect(Math.max(...sizes)).toBeLessThan(600_000);
});
