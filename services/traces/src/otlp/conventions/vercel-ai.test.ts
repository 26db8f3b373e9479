import { otlpSpan } from "@ems/test-support/otlp";
import { expect, test } from "vitest";
import { readSteps, stepFrom } from "../../../test/read-otlp.ts";

test.each([
  ["ai.generateText", "group"],
  ["ai.streamText", "group"],
  ["ai.generateObject", "group"],
  ["ai.generateText.doGenerate", "llm"],
  ["ai.streamObject.doStream", "llm"],
  ["ai.toolCall", "tool"],
  ["ai.embed", "embedding"],
  ["ai.embedMany.doEmbed", "embedding"],
  ["other", "group"],
])("the operation %s is a step of the type %s", (operation, type) => {
  expect(stepFrom({ "ai.operationId": operation }).type).toBe(type);
});

const inner = {
  "operation.name": "ai.generateText.doGenerate my-function",
  "ai.operationId": "ai.generateText.doGenerate",
  "ai.telemetry.functionId": "my-function",
  "ai.model.provider": "openai.chat",
  "ai.model.id": "gpt-4o-mini",
  "ai.settings.maxRetries": 2,
  "ai.prompt.messages": JSON.stringify([
    { role: "system", content: "Be brief." },
    { role: "user", content: [{ type: "text", text: "Vejret? 🌦" }] },
    {
      role: "assistant",
      content: [{ type: "tool-call", toolCallId: "c1", toolName: "weather", input: { city: "Ry" } }],
    },
    {
      role: "tool",
      content: [
        { type: "tool-result", toolCallId: "c1", toolName: "weather", output: { type: "text", value: "rain" } },
      ],
    },
  ]),
  "ai.response.finishReason": "stop",
  "ai.response.text": "Det regner.",
  "ai.response.id": "chatcmpl-9",
  "ai.response.model": "gpt-4o-mini-2024-07-18",
  "ai.usage.inputTokens": 10,
  "ai.usage.outputTokens": 4,
  "gen_ai.system": "openai.chat",
  "gen_ai.request.model": "gpt-4o-mini",
  "gen_ai.response.finish_reasons": ["stop"],
  "gen_ai.usage.input_tokens": 10,
};

test("a model's call has messages, model, finish reason and tokens", () => {
  const step = stepFrom(inner);
  expect(step).toMatchObject({
    type: "llm",
    modelId: "gpt-4o-mini-2024-07-18",
    output: "Det regner.",
    finishReason: "stop",
    usage: { promptTokens: 10, completionTokens: 4 },
    params: { maxRetries: 2 },
  });
  expect(JSON.parse(step.input ?? "")).toEqual([
    { role: "system", content: "Be brief." },
    { role: "user", content: "Vejret? 🌦" },
    { role: "assistant", tool_calls: [{ id: "c1", name: "weather", arguments: { city: "Ry" } }] },
    { role: "tool", content: "rain", tool_call_id: "c1", name: "weather" },
  ]);
});

test("an outer call has its prompt and text; its usage is a sum", () => {
  const outer = (prompt: object) =>
    stepFrom({
      "ai.operationId": "ai.generateText",
      "ai.prompt": JSON.stringify(prompt),
      "ai.response.text": "Det regner.",
      "ai.usage.inputTokens": 20,
      "ai.usage.outputTokens": 8,
    });
  expect(outer({ prompt: "Vejret?" })).toMatchObject({ type: "group", input: "Vejret?", output: "Det regner." });
  expect(outer({ prompt: "Vejret?" }).usage).toEqual({ promptTokens: 20, completionTokens: 8 });
  expect(JSON.parse(outer({ system: "Be brief.", prompt: "Vejret?" }).input ?? "")).toEqual([
    { role: "system", content: "Be brief." },
    { role: "user", content: "Vejret?" },
  ]);
  expect(outer({ messages: [{ role: "user", content: "Vejret?" }] }).input).toBe("Vejret?");
});

test("responses with an object, with tool calls, and under the earlier names", () => {
  const call = (response: object) => stepFrom({ "ai.operationId": "ai.generateObject.doGenerate", ...response });
  expect(call({ "ai.response.object": '{"rain": true}' }).output).toBe('{"role":"assistant","content":{"rain":true}}');
  const calls = JSON.stringify([{ toolCallType: "function", toolCallId: "c1", toolName: "w", args: '{"a":1}' }]);
  expect(JSON.parse(call({ "ai.response.toolCalls": calls }).output ?? "")).toMatchObject({
    tool_calls: [{ id: "c1", name: "w", arguments: { a: 1 } }],
  });
  expect(
    call({
      "ai.result.text": "Hi",
      "ai.finishReason": "stop",
      "ai.usage.promptTokens": 3,
      "ai.usage.completionTokens": 1,
    }),
  ).toMatchObject({ output: "Hi", finishReason: "stop", usage: { promptTokens: 3, completionTokens: 1 } });
});

test("a tool's call", () => {
  const tool = {
    "ai.operationId": "ai.toolCall",
    "ai.toolCall.name": "weather",
    "ai.toolCall.id": "c1",
    "ai.toolCall.args": '{"city":"Ry"}',
    "ai.toolCall.result": '"regn \\ud83c\\udf27"',
  };
  expect(stepFrom(tool)).toMatchObject({
    type: "tool",
    name: "weather",
    toolCallId: "c1",
    toolInput: '{"city":"Ry"}',
    toolOutput: "regn 🌧",
  });
});

test("an embedding counts once", () => {
  const outer = otlpSpan({ "ai.operationId": "ai.embed", "ai.value": '"text"', "ai.usage.tokens": 5 });
  const call = otlpSpan({ "ai.operationId": "ai.embed.doEmbed", "ai.values": ['"text"'], "ai.usage.tokens": 5 });
  const steps = readSteps(outer, call);
  const usage = { promptTokens: 5, completionTokens: 0 };
  expect(steps.map(({ fields, isSum }) => [fields.usage, isSum])).toEqual([
    [usage, true],
    [usage, false],
  ]);
  expect(steps[0]?.fields.input).toBe("text");
});

test("telemetry metadata contains the session, the user, tags and custom metadata", () => {
  const [step] = readSteps(
    otlpSpan({
      ...inner,
      "ai.telemetry.metadata.sessionId": "s-1",
      "ai.telemetry.metadata.userId": "u-1",
      "ai.telemetry.metadata.tags": ["beta"],
      "ai.telemetry.metadata.plan": "pro",
    }),
  );
  const metadata = { "session.id": "s-1", "user.id": "u-1", tags: ["beta"], plan: "pro" };
  expect(step?.trace.facts.metadata(() => true)).toEqual(metadata);
});
