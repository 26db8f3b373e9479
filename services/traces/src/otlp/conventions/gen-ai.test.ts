import { expect, test } from "vitest";
import { stepFrom } from "../../../test/read-otlp.ts";

test.each([
  ["chat", "llm"],
  ["text_completion", "llm"],
  ["generate_content", "llm"],
  ["embeddings", "embedding"],
  ["execute_tool", "tool"],
  ["invoke_agent", "agent"],
  ["create_agent", "agent"],
  ["retrieval", "retriever"],
  ["invoke_workflow", "group"],
  ["constructor", "group"],
  [undefined, "group"],
])("the operation %s is a step of the type %s", (operation, type) => {
  expect(stepFrom(operation === undefined ? {} : { "gen_ai.operation.name": operation }).type).toBe(type);
});

/** A chat span with structured messages, as in the conventions since 1.37. */
const chat = {
  "gen_ai.operation.name": "chat",
  "gen_ai.provider.name": "anthropic",
  "gen_ai.request.model": "claude-sonnet-4-5",
  "gen_ai.request.max_tokens": 1024,
  "gen_ai.response.model": "claude-sonnet-4-5-20250929",
  "gen_ai.response.id": "msg_01",
  "gen_ai.response.finish_reasons": ["tool_use"],
  "gen_ai.usage.input_tokens": 640,
  "gen_ai.usage.output_tokens": 31,
  "gen_ai.conversation.id": "conv-9",
  "gen_ai.system_instructions": '[{"type": "text", "content": "Be brief."}]',
  "gen_ai.input.messages": JSON.stringify([
    { role: "user", parts: [{ type: "text", content: "Wetter in München? ☔" }] },
    {
      role: "assistant",
      parts: [{ type: "tool_call", id: "toolu_1", name: "weather", arguments: { city: "München" } }],
    },
    { role: "tool", parts: [{ type: "tool_call_response", id: "toolu_1", response: '{"rain": true}' }] },
  ]),
  "gen_ai.output.messages": JSON.stringify([
    { role: "assistant", parts: [{ type: "text", content: "Ja, es regnet." }], finish_reason: "stop" },
  ]),
};

test("a chat has model, instructions, messages, tokens and finish reason", () => {
  const step = stepFrom(chat, { name: "chat claude-sonnet-4-5" });
  expect(step).toMatchObject({
    type: "llm",
    modelId: "claude-sonnet-4-5-20250929",
    usage: { promptTokens: 640, completionTokens: 31 },
    finishReason: "tool_use",
    output: "Ja, es regnet.",
    params: { max_tokens: 1024 },
    metadata: { "gen_ai.response.id": "msg_01", "gen_ai.provider.name": "anthropic" },
  });
  expect(JSON.parse(step.input ?? "")).toEqual([
    { role: "system", content: "Be brief." },
    { role: "user", content: "Wetter in München? ☔" },
    { role: "assistant", tool_calls: [{ id: "toolu_1", name: "weather", arguments: { city: "München" } }] },
    { role: "tool", content: { rain: true }, tool_call_id: "toolu_1" },
  ]);
  expect(step.metadata).not.toHaveProperty(["gen_ai.input.messages"]);
});

test("a message may be a number of any size", () => {
  const messages = "[1e999, 12345678901234567890, 3]";
  const { input } = stepFrom({ "gen_ai.operation.name": "chat", "gen_ai.input.messages": messages });
  expect(JSON.stringify(input)).toContain("12345678901234567890");
});

test("the request's model is used if the response has none", () => {
  expect(stepFrom({ "gen_ai.operation.name": "chat", "gen_ai.request.model": "m" }).modelId).toBe("m");
});

test.each([
  ['{"a": 12345678901234567890}', '{"a":12345678901234567890}'],
  ['{"a": 1e999}', '{"a":1e999}'],
  ["[not JSON", "[not JSON"],
  ['"caf\\u00e9"', "café"],
  ['["\\u0000"]', '["\\u0000"]'],
  [`${"[".repeat(40)}${"]".repeat(40)}`, `${"[".repeat(40)}${"]".repeat(40)}`],
  ["nul \0", "nul \0"],
])("a tool's result %s is readable", (result, legible) => {
  const step = stepFrom({ "gen_ai.operation.name": "execute_tool", "gen_ai.tool.call.result": result });
  expect(step.toolOutput).toBe(legible);
});

test("a tool has its name, call, arguments and result", () => {
  const tool = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "weather",
    "gen_ai.tool.call.id": "toolu_1",
    "gen_ai.tool.call.arguments": { city: "Oslo" },
    "gen_ai.tool.call.result": "rain",
  };
  expect(stepFrom(tool, { name: "execute_tool weather" })).toMatchObject({
    name: "weather",
    toolCallId: "toolu_1",
    toolInput: '{"city":"Oslo"}',
    toolOutput: "rain",
  });
});

test("a retrieval has its query and documents", () => {
  const step = stepFrom({
    "gen_ai.operation.name": "retrieval",
    "gen_ai.retrieval.query.text": "refunds",
    "gen_ai.retrieval.documents": '[{"id": "d1", "score": 0.9}]',
  });
  expect(step).toMatchObject({ query: "refunds", result: '[{"id":"d1","score":0.9}]' });
});

test("an agent has its messages, and its sum of tokens, which counts if nothing within it does", () => {
  const agent = stepFrom({ ...chat, "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "Weather" });
  expect(agent).toMatchObject({ type: "agent", output: "Ja, es regnet.", usage: { promptTokens: 640 } });
  expect(agent.metadata).toMatchObject({ "gen_ai.usage.input_tokens": 640 });
});

test.each([
  [{ "gen_ai.usage.input_tokens": 7, "gen_ai.usage.output_tokens": 2 }, [7, 2]],
  [{ "gen_ai.usage.input_tokens": "7" }, [7, 0]],
  [{ "gen_ai.usage.input_tokens": -1, "gen_ai.usage.output_tokens": 2 ** 31 }, [undefined, undefined]],
  [{ "gen_ai.usage.input_tokens": "many" }, [undefined, undefined]],
])("tokens of %j", (usage, counts) => {
  const step = stepFrom({ "gen_ai.operation.name": "chat", ...usage });
  expect([step.usage?.promptTokens, step.usage?.completionTokens]).toEqual(counts);
});

test("the error's type replaces a missing error message", () => {
  const step = stepFrom({ "gen_ai.operation.name": "chat", "error.type": "timeout", "http.response.status_code": 504 });
  expect(step).toMatchObject({ status: "error", error: "timeout", statusCode: "504" });
});

test("a text that looks like deeply nested JSON is read without recursion", () => {
  for (const text of ["[".repeat(200_000), "[".repeat(200_000) + "]".repeat(200_000)]) {
    const step = stepFrom({ "gen_ai.operation.name": "execute_tool", "gen_ai.tool.call.result": text });
    expect(step.toolOutput === text).toBe(true);
  }
});
