import { otlpSpan, spanEvent } from "@ems/test-support/otlp";
import { expect, test } from "vitest";
import { readSteps, stepFrom } from "../../../test/read-otlp.ts";

test.each([
  [{ "traceloop.span.kind": "workflow" }, "group"],
  [{ "traceloop.span.kind": "task" }, "group"],
  [{ "traceloop.span.kind": "agent" }, "agent"],
  [{ "traceloop.span.kind": "tool" }, "tool"],
  [{ "gen_ai.operation.name": "execute_task" }, "group"],
  [{ "gen_ai.operation.name": "vector_db_retrieve" }, "retriever"],
  [{ "llm.request.type": "chat" }, "llm"],
  [{ "llm.request.type": "completion" }, "llm"],
  [{ "llm.request.type": "embedding" }, "embedding"],
  [{ "llm.request.type": "rerank" }, "reranker"],
])("a span of %j is a step of the type %s", (attributes, type) => {
  expect(stepFrom(attributes).type).toBe(type);
});

test("a workflow has its arguments and result", () => {
  const workflow = (input: object, output: unknown) =>
    stepFrom({
      "traceloop.span.kind": "workflow",
      "traceloop.entity.name": "answer",
      "traceloop.workflow.name": "answer",
      "traceloop.entity.input": JSON.stringify(input),
      "traceloop.entity.output": JSON.stringify(output),
    });
  expect(workflow({ args: ["Hva koster det? 💸"], kwargs: {} }, "Ingenting")).toMatchObject({
    type: "group",
    input: "Hva koster det? 💸",
    output: "Ingenting",
  });
  expect(workflow({ args: [], kwargs: { q: 1 } }, { a: 2 })).toMatchObject({ input: '{"q":1}', output: '{"a":2}' });
  expect(workflow({ args: [1], kwargs: { q: 1 } }, 3).input).toBe('{"args":[1],"kwargs":{"q":1}}');
});

test("a tool has its entity's name, arguments and result", () => {
  const tool = stepFrom(
    {
      "traceloop.span.kind": "tool",
      "traceloop.entity.name": "weather",
      "traceloop.entity.input": '{"args": [], "kwargs": {"city": "Oslo"}}',
      "traceloop.entity.output": '"rain"',
    },
    { name: "weather.tool" },
  );
  expect(tool).toMatchObject({ name: "weather", toolInput: '{"city":"Oslo"}', toolOutput: "rain" });
});

test("an earlier call has indexed prompts and completions", () => {
  const step = stepFrom({
    "gen_ai.system": "OpenAI",
    "llm.request.type": "chat",
    "gen_ai.request.model": "gpt-4o-mini",
    "gen_ai.response.model": "gpt-4o-mini-2024-07-18",
    "gen_ai.prompt.0.role": "user",
    "gen_ai.prompt.0.content": '[{"type": "text", "text": "What is it?"}]',
    "gen_ai.completion.0.role": "assistant",
    "gen_ai.completion.0.finish_reason": "tool_calls",
    "gen_ai.completion.0.tool_calls.0.id": "call_1",
    "gen_ai.completion.0.tool_calls.0.name": "look",
    "gen_ai.completion.0.tool_calls.0.arguments": '{"at": "it"}',
    "llm.usage.total_tokens": 12,
    "gen_ai.usage.prompt_tokens": 7,
    "gen_ai.usage.completion_tokens": 5,
  });
  expect(step).toMatchObject({
    type: "llm",
    modelId: "gpt-4o-mini-2024-07-18",
    input: "What is it?",
    output: '{"role":"assistant","tool_calls":[{"id":"call_1","name":"look","arguments":{"at":"it"}}]}',
    finishReason: "tool_calls",
    usage: { promptTokens: 7, completionTokens: 5 },
    metadata: { "llm.usage.total_tokens": 12 },
  });
});

test("a vector database's results are documents", () => {
  const step = stepFrom(
    { "db.system": "chroma", "db.operation": "query", "db.vector.query.top_k": 2 },
    {
      events: [
        spanEvent("db.query.result", { "db.query.result.id": "d1", "db.query.result.document": "30 days" }),
        spanEvent("db.query.result", { "db.query.result.id": "d2", "db.query.result.score": 0.25 }),
      ],
    },
  );
  expect(step).toMatchObject({ type: "retriever" });
  expect(JSON.parse(step.result ?? "")).toEqual([
    { id: "d1", content: "30 days" },
    { id: "d2", score: 0.25 },
  ]);
});

test("association properties contain the session, the user and custom metadata", () => {
  const [step] = readSteps(
    otlpSpan({
      "traceloop.association.properties.session_id": "s-1",
      "traceloop.association.properties.user_id": "u-1",
      "traceloop.association.properties.plan": "pro",
    }),
  );
  expect(step?.trace.facts.metadata(() => true)).toEqual({ "session.id": "s-1", "user.id": "u-1", plan: "pro" });
});
