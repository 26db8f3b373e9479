// Tests of connections to servers that work, in part or not at all.

import {
  ModelConnectionCheck,
  ModelConnectionService,
  StructuredOutput,
} from "@ems/proto/evaluation/v1/model_connection_service";
import { testCall, testTenant } from "@ems/test-support";
import { modelServer, type Step } from "@ems/test-support/model-server";
import { afterAll, expect, test } from "vitest";
import { evaluationHarness } from "../../test/harness.ts";

const server = await modelServer();
afterAll(() => server.close());
const harness = await evaluationHarness({ MODEL_ALLOW_CIDRS: "127.0.0.1/32" });
const connections = harness.client(ModelConnectionService);

const judgement = { rationale: "It does", quotes: ["Settings"], choice: "Y" };
const prices = { inputPerMillion: 1, outputPerMillion: 2 };
const { HONORED, EMULATED, NOT_USABLE } = StructuredOutput;
const works = { reachable: true, authenticated: true, modelExists: true, usageReported: true, priceKnown: true };
const all = { ...works, ok: true, structuredOutput: HONORED, problems: [] };
const fence: Step = { kind: "answer", text: `\`\`\`json\n${JSON.stringify(judgement)}\n\`\`\`` };
const rejected: Step = { kind: "error", status: 400, message: "response_format, tools: not supported" };
const noUsage = (provider: string): Step => {
  const content = JSON.stringify(judgement);
  const body =
    provider === "anthropic"
      ? { content: [{ type: "text", text: content }], stop_reason: "end_turn" }
      : { choices: [{ message: { content }, finish_reason: "stop" }] };
  return { kind: "raw", body: JSON.stringify(body) };
};
const problem = (check: ModelConnectionCheck, message: RegExp) => ({
  check,
  message: expect.stringMatching(message),
});
const { REACHABLE, AUTHENTICATED, MODEL_EXISTS, STRUCTURED_OUTPUT, USAGE_REPORTED, PRICE_KNOWN } = ModelConnectionCheck;
const emulated = {
  ...all,
  structuredOutput: EMULATED,
  problems: [problem(STRUCTURED_OUTPUT, /does not enforce the schema/)],
};
const unknown = { modelExists: undefined, structuredOutput: undefined, usageReported: undefined };
const prose: Step = { kind: "answer", text: "It is a yes." };

test.each(["openai", "anthropic", "openai-compatible"])("a test of %s reports what works", async (provider) => {
  const tenant = testTenant();
  const run = async (steps: Step[], more: object = {}) => {
    const request = {
      name: "Judge",
      provider,
      baseUrl: server.url,
      model: "model-a",
      apiKey: "sk-key",
      prices,
      ...more,
    };
    const { data } = await connections.createModelConnection(request, testCall(tenant));
    server.script(...steps);
    const answer = await connections.testModelConnection({ id: data?.id ?? "" }, testCall(tenant));
    return { authenticated: undefined, ...unknown, ...answer };
  };
  const from = server.requests.length;
  expect(await run([{ kind: "answer", object: judgement }])).toMatchObject(all);
  expect(server.requests.length).toBe(from + 1);
  expect(await run([fence])).toMatchObject(emulated);
  expect(await run([rejected, fence])).toMatchObject(emulated);
  // The second request contains the schema.
  expect(await run([prose, { kind: "answer", object: judgement }])).toMatchObject(emulated);
  expect(server.requests.at(-1)?.system).toContain("The schema: ");
  expect(await run([prose, prose])).toMatchObject({
    ...all,
    ok: false,
    error: expect.stringMatching(/^The model's answer contains no JSON object, also after one repair/),
    structuredOutput: NOT_USABLE,
    problems: [problem(STRUCTURED_OUTPUT, /no JSON object/)],
  });
  expect(await run([noUsage(provider)])).toMatchObject({
    ok: true,
    usageReported: false,
    problems: [problem(USAGE_REPORTED, /estimated/)],
  });
  expect(await run([{ kind: "answer", object: judgement }], { prices: undefined })).toMatchObject({
    ok: true,
    priceKnown: false,
    problems: [problem(PRICE_KNOWN, /Set the connection's prices/)],
  });
  expect(await run([{ kind: "error", status: 401 }])).toMatchObject({
    ...unknown,
    ok: false,
    reachable: true,
    authenticated: false,
    priceKnown: true,
    problems: [problem(AUTHENTICATED, /key is not accepted/)],
  });
  expect(await run([{ kind: "error", status: 404, message: "model 'm' not found" }])).toMatchObject({
    ...unknown,
    ok: false,
    reachable: true,
    authenticated: true,
    modelExists: false,
    problems: [problem(MODEL_EXISTS, /Set a model/)],
  });
  const nowhere = { ...unknown, ok: false, reachable: false, authenticated: undefined };
  for (const [step, reason] of [
    [{ kind: "raw", body: "<html></html>" }, /web page/],
    [{ kind: "raw", body: "Not Found", status: 404 }, /base URL/],
    [{ kind: "reset" }, /cannot be reached/],
  ] as const)
    expect(await run([step])).toMatchObject({ ...nowhere, problems: [problem(REACHABLE, reason)] });
  const busy = { kind: "error", status: 429 } as const;
  expect(await run([busy])).toMatchObject({
    ...unknown,
    ok: false,
    reachable: true,
    authenticated: true,
    problems: [],
  });
  expect(await run([{ kind: "answer", text: "{", stop: "length" }])).toMatchObject({
    ok: false,
    error: expect.stringContaining("token limit"),
    modelExists: true,
    structuredOutput: undefined,
  });
});
