import { expect, test } from "vitest";
import { answerEvent } from "./answer-event.ts";

const testId = "019a0000-0000-7000-8000-000000000001";
const answeredAt = new Date("2026-01-01T00:00:10Z");
const parseEvent = (body: unknown, prompt: string | { readonly question: string } = "What?") =>
  answerEvent({
    testId,
    body: typeof body === "string" ? body : JSON.stringify(body),
    prompt,
    answeredAt,
    durationMs: 2_000,
  });
const contents = (body: unknown) =>
  parseEvent(body)?.steps.map(({ type, content }) => [type, content?.kind.case, content?.kind.value]);

test("an answer is a trace of request and response that names the test", () => {
  const event = parseEvent({ output: "It is 42.", usage: { promptTokens: 7, completionTokens: 3 } });
  expect(event).toMatchObject({ type: "trace", testId, totalPromptTokens: 7n, totalCompletionTokens: 3n });
  expect(event?.steps.map(({ type, timestamp }) => [type, Number(timestamp?.seconds)])).toEqual([
    ["request", Date.parse("2026-01-01T00:00:08Z") / 1000],
    ["response", answeredAt.getTime() / 1000],
  ]);
  expect(contents({ output: "It is 42." })).toEqual([
    ["request", "stringValue", "What?"],
    ["response", "stringValue", "It is 42."],
  ]);
});

test("an object and an empty text are valid answers", () => {
  expect(contents({ output: { total: 42 } })?.[1]?.[1]).toBe("structValue");
  expect(contents({ output: "" })?.[1]).toEqual(["response", "stringValue", ""]);
});

test("the response is the last step, even if the application's clock is ahead", () => {
  const steps = [{ type: "retriever", query: "a", result: "b", timestamp: "2026-01-01T01:00:00Z" }];
  const event = parseEvent({ output: "Yes", steps });
  expect(event?.steps.map(({ type }) => type)).toEqual(["request", "retriever", "response"]);
  expect(event?.steps.at(-1)?.timestamp).toEqual(event?.steps[1]?.timestamp);
});

test("tokens of steps are not counted twice", () => {
  const usage = { promptTokens: 7, completionTokens: 3 };
  const event = parseEvent({ output: "Yes", usage, steps: [{ type: "llm", event: "end", modelId: "m", usage }] });
  expect(event?.totalPromptTokens).toBeUndefined();
});

test("characters that cannot be stored do not reject the answer: they are replaced on storage", () => {
  expect(parseEvent('{"output": "a\\u0000", "steps": [{"type": "log", "content": "\\ud800"}]}')?.steps).toHaveLength(3);
});

test.each([
  ["no JSON", "Hello"],
  ["half a JSON", '{"output": "He'],
  ["an empty body", ""],
  ["a text", '"Hello"'],
  ["a list", "[]"],
  ["no output", { text: "Hello" }],
  ["an output that is a number", { output: 42 }],
  ["an output that is null", { output: null }],
  ["an output that is a list", { output: ["a"] }],
  ["a trace id that is none", { output: "a", traceId: "mine" }],
  ["steps that are no list", { output: "a", steps: {} }],
  ["a step of no kind", { output: "a", steps: [{ type: "dance" }] }],
])("a body with %s is unusable", (_, body) => {
  expect(parseEvent(body)).toBeUndefined();
});

test.each([1.5, -1, 1e308, 2 ** 63, "many", null, [7], {}])(
  "an answer whose usage is %j is usable, and its tokens are unknown",
  (tokens) => {
    const usage = { promptTokens: tokens, completionTokens: 3 };
    expect(parseEvent({ output: "Yes", usage })).toMatchObject({ totalCompletionTokens: 3n });
    expect(parseEvent({ output: "Yes", usage })?.totalPromptTokens).toBeUndefined();
    const event = parseEvent({ output: "Yes", steps: [{ type: "llm", modelId: "m", usage, costAmount: 0.5 }] });
    expect(event?.steps[1]).toMatchObject({ usage: { completionTokens: 3n }, costAmount: 0.5 });
    expect(event?.steps[1]?.usage?.promptTokens ?? 0n).toBe(0n);
  },
);

test.each([
  { timestamp: 8.64e15 },
  { timestamp: -1 },
  { timestamp: "+275760-09-13T00:00:00Z" },
  { timestamp: "yesterday" },
  { costAmount: -1 },
  { costAmount: 1e308 },
  { costAmount: "NaN" },
  { durationMs: -5 },
  { durationMs: 1e308 },
  { usage: 7 },
  { tokens: { input: 1e308, output: 1.5 } },
  { endTime: 1e300 },
])("an answer with a step of %j is usable, without the absurd values", (absurd) => {
  const event = parseEvent({
    output: "Yes",
    steps: [{ type: "llm", modelId: "m", steps: [{ type: "llm", ...absurd }], ...absurd }],
  });
  expect(event?.steps.map(({ type }) => type)).toEqual(["request", "llm", "response"]);
  expect(event?.steps.at(-1)?.timestamp).toMatchObject({ seconds: BigInt(answeredAt.getTime() / 1000) });
});
