// Verdicts of OUTPUT_MATCH on texts that read the same as the expected ones.

import { expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api } = await newTenant();

async function tried(answer: string, expected: unknown, globalConfig: object = {}) {
  const request = { type: "OUTPUT_MATCH", globalConfig: { type: "string", ...globalConfig }, answer, expected };
  const { status, body } = await api.post("/v0/definitions/try", request);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}

const list = { type: "list", matchMode: "exact_unordered" };
const extract = (pattern: string, flags: string, group: number) => ({ extract: { pattern, flags, group } });

test.each<[answer: string, expected: unknown, globalConfig: object]>([
  ["cafe\u0301", "caf\u00e9", {}],
  ["Paris\n", "Paris", {}],
  ["\ufeffParis", "Paris", {}],
  ["New\u00a0York", "New York", {}],
  ["a\r\nb", "a\nb", {}],
  ["four", ["4", "four"], {}],
  ["Antwort: \u00c4pfel", "\u00c4pfel", extract("Antwort:\\s*(\\p{L}+)", "iu", 1)],
  ['```json\n["a", "b"]\n```', ["a", "b"], list],
  ["- a\n- b", ["a", "b"], list],
  ["1. a\n2. b", ["a", "b"], list],
  ["a, b", ["a", "b"], list],
  ["I like Paris and Rome.", ["Paris", "Rome"], { type: "list", matchMode: "contains" }],
])("%j is %j: %j", async (answer, expected, globalConfig) => {
  expect(await tried(answer, expected, globalConfig)).toMatchObject({
    status: "COMPLETED",
    score: 1,
    passed: true,
    judgeVersion: "output-match/2",
  });
});

test("an exact comparison says by code point what differs, and is stored with the definition", async () => {
  const globalConfig = { type: "string", settings: { exact: true } };
  const found = await tried("cafe\u0301", "caf\u00e9", globalConfig);
  expect(found).toMatchObject({ score: 0, results: { reason: expect.stringMatching(/U\+00E9.*U\+0065 U\+0301/) } });
  const { body } = await api.post("/v0/definitions", { type: "OUTPUT_MATCH", name: "Exact", globalConfig });
  expect(body.data.globalConfig).toEqual(globalConfig);
  const wrong = { type: "CUSTOM", name: "n", globalConfig: { criterion: "c", settings: { exact: true } } };
  expect((await api.post("/v0/definitions", wrong)).status).toBe(400);
});

test("a class that is ASCII is refused with the flag for Unicode, by a definition and a trial", async () => {
  const globalConfig = { type: "string", ...extract("Antwort:\\s*(\\w+)", "iu", 1) };
  const issue = { path: ["globalConfig", "extract", "pattern"], message: expect.stringMatching(/^\\w is ASCII/) };
  const definition = { type: "OUTPUT_MATCH", name: "n", globalConfig };
  for (const [path, request] of [
    ["/v0/definitions", definition],
    ["/v0/definitions/try", { type: "OUTPUT_MATCH", globalConfig, answer: "a", expected: "a" }],
  ] as const) {
    const { status, body } = await api.post(path, request);
    expect([status, body.issues]).toMatchObject([400, [issue]]);
  }
});
