import { otlpSpan, spanEvent } from "@ems/test-support/otlp";
import { describe, expect, test } from "vitest";
import { readSteps, stepFrom } from "../../../test/read-otlp.ts";

test.each([
  ["LLM", "llm"],
  ["TOOL", "tool"],
  ["RETRIEVER", "retriever"],
  ["RERANKER", "reranker"],
  ["EMBEDDING", "embedding"],
  ["AGENT", "agent"],
  ["CHAIN", "group"],
  ["GUARDRAIL", "guardrail"],
  ["EVALUATOR", "evaluator"],
  ["PROMPT", "group"],
  ["DECISION", "group"],
  ["UNKNOWN", "group"],
  ["constructor", "group"],
])("a span of the kind %s is a step of the type %s", (kind, type) => {
  expect(stepFrom({ "openinference.span.kind": kind }).type).toBe(type);
});

/** A chat completion with a tool, from openinference-instrumentation-openai. */
const chat = {
  "openinference.span.kind": "LLM",
  "llm.system": "openai",
  "llm.provider": "openai",
  "input.value":
    '{"messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Weather in K\\u00f8benhavn? \\ud83c\\udf27"}], "model": "gpt-4o-mini"}',
  "input.mime_type": "application/json",
  "llm.invocation_parameters": '{"model": "gpt-4o-mini", "temperature": 0.2}',
  "llm.input_messages.0.message.role": "system",
  "llm.input_messages.0.message.content": "Be brief.",
  "llm.input_messages.1.message.role": "user",
  "llm.input_messages.1.message.contents.0.message_content.type": "text",
  "llm.input_messages.1.message.contents.0.message_content.text": "Weather in København? 🌧",
  "llm.model_name": "gpt-4o-mini-2024-07-18",
  "output.value":
    '{"id":"chatcmpl-AbC1","choices":[{"finish_reason":"tool_calls","index":0,"message":{"role":"assistant","tool_calls":[]}}]}',
  "output.mime_type": "application/json",
  "llm.token_count.prompt": 52,
  "llm.token_count.completion": 17,
  "llm.token_count.total": 69,
  "llm.cost.prompt": 0.00001,
  "llm.cost.completion": 0.00002,
  "llm.output_messages.0.message.role": "assistant",
  "llm.output_messages.0.message.tool_calls.0.tool_call.id": "call_7",
  "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "weather",
  "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": '{"city": "K\\u00f8benhavn"}',
  "llm.tools.0.tool.json_schema": '{"type": "function"}',
};

test("a chat has model, messages, tokens, cost, finish reason and parameters", () => {
  const step = stepFrom(chat, { name: "ChatCompletion" });
  expect(step).toMatchObject({
    type: "llm",
    event: "end",
    name: "ChatCompletion",
    modelId: "gpt-4o-mini-2024-07-18",
    usage: { promptTokens: 52, completionTokens: 17 },
    costAmount: 0.00003,
    finishReason: "tool_calls",
    params: { model: "gpt-4o-mini", temperature: 0.2 },
    status: "success",
  });
  expect(JSON.parse(step.input ?? "")).toEqual([
    { role: "system", content: "Be brief." },
    { role: "user", content: "Weather in København? 🌧" },
  ]);
  expect(step.output).toBe(
    '{"role":"assistant","tool_calls":[{"id":"call_7","name":"weather","arguments":{"city":"København"}}]}',
  );
  expect(step.metadata).toMatchObject({
    "llm.tools.0.tool.json_schema": '{"type": "function"}',
    "llm.system": "openai",
  });
  expect(Object.keys(step.metadata).filter((name) => /_messages\./.test(name))).toEqual([]);
});

test("a single message in each direction becomes text; a tool's answer names its call", () => {
  const step = stepFrom({
    "openinference.span.kind": "LLM",
    "llm.input_messages.0.message.role": "user",
    "llm.input_messages.0.message.content": "Hi \u{1f600}",
    "llm.output_messages.0.message.role": "assistant",
    "llm.output_messages.0.message.content": "Hello",
  });
  expect([step.input, step.output]).toEqual(["Hi 😀", "Hello"]);
  const later = stepFrom({
    "openinference.span.kind": "LLM",
    "llm.input_messages.0.message.role": "tool",
    "llm.input_messages.0.message.content": "rain",
    "llm.input_messages.0.message.tool_call_id": "call_7",
    "llm.input_messages.10.message.content": "ten",
    "llm.input_messages.2.message.content": "two",
  });
  expect(JSON.parse(later.input ?? "")).toEqual([
    { role: "tool", content: "rain", tool_call_id: "call_7" },
    { content: "two" },
    { content: "ten" },
  ]);
});

test("a failed call has its request's model and its error", () => {
  const failed = {
    "openinference.span.kind": "LLM",
    "llm.invocation_parameters": '{"model": "gpt-4o"}',
    "input.value": "Hi",
  };
  const exception = spanEvent("exception", { "exception.type": "RateLimitError", "exception.message": "too many" });
  expect(stepFrom(failed, { status: { code: 2 }, events: [exception] })).toMatchObject({
    modelId: "gpt-4o",
    input: "Hi",
    status: "error",
    statusCode: "ERROR",
    error: "RateLimitError: too many",
  });
  expect(stepFrom(failed, { status: { code: "STATUS_CODE_ERROR", message: "429" }, events: [exception] }).error).toBe(
    "429",
  );
  expect(stepFrom(failed, { events: [exception] }).status).toBe("error");
  expect(stepFrom(failed, { status: { code: 1 }, events: [exception] })).toMatchObject({ status: "success" });
});

test("a tool has name, call, arguments and result; its parameters are a schema", () => {
  const step = stepFrom(
    {
      "openinference.span.kind": "TOOL",
      "tool.name": "weather",
      "tool.description": "The weather",
      "tool.parameters": '{"city": {"type": "string"}}',
      "input.value": '{"city": "Troms\\u00f8"}',
      "output.value": '{"content": "rain", "tool_call_id": "call_7"}',
      "output.mime_type": "application/json",
    },
    { name: "execute weather" },
  );
  expect(step).toMatchObject({
    type: "tool",
    name: "weather",
    toolCallId: "call_7",
    toolInput: '{"city":"Tromsø"}',
    toolOutput: '{"content":"rain","tool_call_id":"call_7"}',
    metadata: { "tool.parameters": '{"city": {"type": "string"}}' },
  });
  expect(step.input).toBeUndefined();
});

test("a retriever has its query, and its documents in order, with scores from any attribute", () => {
  const step = stepFrom({
    "openinference.span.kind": "RETRIEVER",
    "input.value": "refunds",
    "output.value": '{"documents": []}',
    "retrieval.documents.0.document.id": "d0",
    "retrieval.documents.0.document.content": "30 days",
    "retrieval.documents.0.document.score": 0.75,
    "retrieval.documents.1.document.content": "14 days",
    "retrieval.documents.1.document.metadata": '{"source": "a.md", "score": 0.5}',
  });
  expect(step.query).toBe("refunds");
  expect(JSON.parse(step.result ?? "")).toEqual([
    { id: "d0", content: "30 days", score: 0.75 },
    { content: "14 days", metadata: { source: "a.md", score: 0.5 }, score: 0.5 },
  ]);
});

test("a reranker has its query, its input documents and their new order", () => {
  const step = stepFrom({
    "openinference.span.kind": "RERANKER",
    "reranker.query": "refunds",
    "reranker.model_name": "rerank-v3.5",
    "reranker.input_documents.0.document.content": "a",
    "reranker.output_documents.0.document.content": "a",
    "reranker.output_documents.0.document.score": 0.9,
  });
  expect(step).toMatchObject({ type: "reranker", modelId: "rerank-v3.5" });
  expect(JSON.parse(step.input ?? "")).toEqual({ query: "refunds", documents: [{ content: "a" }] });
  expect(JSON.parse(step.output ?? "")).toEqual([{ content: "a", score: 0.9 }]);
});

test("an evaluator and a guardrail", () => {
  expect(
    stepFrom({
      "openinference.span.kind": "EVALUATOR",
      "evaluation.name": "Hallucination",
      "evaluation.score": 0.2,
      "evaluation.label": "factual",
      "evaluation.explanation": "Every claim is in the text.",
    }),
  ).toMatchObject({
    evaluatorName: "Hallucination",
    evaluationScore: 0.2,
    evaluationLabel: "factual",
    evaluationExplanation: "Every claim is in the text.",
  });
  expect(
    stepFrom({ "openinference.span.kind": "GUARDRAIL", "guardrail.triggered": true, "guardrail.action": "block" }),
  ).toMatchObject({ type: "guardrail", guardrailTriggered: true, guardrailAction: "block" });
});

describe("together with other conventions", () => {
  test("OpenInference wins, and other conventions fill its gaps", () => {
    const step = stepFrom({
      ...chat,
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.usage.input_tokens": 9999,
      "gen_ai.output.messages": '[{"role": "assistant", "parts": [{"type": "text", "content": "other"}]}]',
      "gen_ai.response.finish_reasons": ["length"],
      "gen_ai.response.id": "other",
    });
    expect(step).toMatchObject({ type: "llm", usage: { promptTokens: 52 }, finishReason: "tool_calls" });
    expect(step.output).toContain("weather");
    expect(step.metadata).toMatchObject({ "gen_ai.usage.input_tokens": 9999 });
  });
});

test("session, user, tags and custom metadata belong to the trace", () => {
  const [first] = readSteps(
    otlpSpan({ "session.id": "s-1", "user.id": "u-1", metadata: '{"plan": "pro"}', "tag.tags": ["beta", "eu"] }),
    otlpSpan({ "session.id": "s-2", metadata: '{"plan": "free", "seat": 3}', "tag.tags": ["eu", "mail"] }),
  );
  expect(first?.trace.facts.metadata(() => true)).toEqual({
    plan: "pro",
    seat: 3,
    "session.id": "s-1",
    "user.id": "u-1",
    tags: ["beta", "eu", "mail"],
  });
});

test("an answer with any number of words of usage is read", () => {
  const usage = '{"input_tokens": 5, "cache_creation_input_tokens": 0}';
  const output = `[${Array(200_000).fill(usage).join(",")}]`;
  const step = stepFrom({
    "openinference.span.kind": "LLM",
    "llm.model_name": "claude-sonnet-4-5",
    "llm.token_count.prompt": 5,
    "output.value": output,
  });
  expect(step.type).toBe("llm");
});
