import { otlpSpan, spanEvent } from "@ems/test-support/otlp";
import { describe, expect, test } from "vitest";
import { readSteps, stepFrom } from "../../../test/read-otlp.ts";
import { eventContent } from "./gen-ai-before.ts";

const call = { "gen_ai.system": "openai", "gen_ai.request.model": "gpt-4o", "gen_ai.usage.prompt_tokens": 5 };

test("a span that names a model is a call even without an operation; an HTTP span within it is not", () => {
  const parent = otlpSpan({ ...call, "gen_ai.usage.completion_tokens": 3 }, { name: "chat gpt-4o" });
  const http = otlpSpan(
    { "http.request.method": "POST", "http.response.status_code": 200, "server.address": "api.openai.com" },
    { name: "POST", parentSpanId: parent.spanId ?? null, kind: 3 },
  );
  const [chat, post] = readSteps(parent, http);
  expect(chat?.fields).toMatchObject({ type: "llm", usage: { promptTokens: 5, completionTokens: 3 } });
  expect(post?.fields).toMatchObject({ type: "group", statusCode: "200", usage: undefined });
  expect(post?.parentId).toBe(chat?.id);
});

test("prompts in events, with their content as JSON text", () => {
  const step = stepFrom(call, {
    events: [
      spanEvent("gen_ai.system.message", { "gen_ai.event.content": '{"content": "Be brief."}', "gen_ai.system": "az" }),
      spanEvent("gen_ai.user.message", { "gen_ai.event.content": '{"content": "\\u00bfQu\\u00e9?"}' }),
      spanEvent("gen_ai.choice", {
        "gen_ai.event.content":
          '{"index": 0, "finish_reason": "stop", "message": {"content": "S\\u00ed", "role": "assistant"}}',
      }),
      spanEvent("first token", {}),
    ],
  });
  expect(JSON.parse(step.input ?? "")).toEqual([
    { role: "system", content: "Be brief." },
    { role: "user", content: "¿Qué?" },
  ]);
  expect(step).toMatchObject({ output: "Sí", finishReason: "stop" });
  expect(step.metadata["otel.events"]).toEqual([
    { name: "first token", timeUnixNano: "1772443800000000001", attributes: {} },
  ]);
});

test("prompts in events, with their content as attributes, and in the earlier form", () => {
  const events = [
    spanEvent("gen_ai.user.message", { content: "Hi", role: "user" }),
    spanEvent("gen_ai.choice", { index: 0, finish_reason: "stop", message: '{"content": "Hello"}' }),
  ];
  expect(stepFrom(call, { events })).toMatchObject({ input: "Hi", output: "Hello", finishReason: "stop" });
  const earlier = [
    spanEvent("gen_ai.content.prompt", { "gen_ai.prompt": '[{"role": "user", "content": "Hi"}]' }),
    spanEvent("gen_ai.content.completion", { "gen_ai.completion": '[{"role": "assistant", "content": "Hello"}]' }),
  ];
  expect(stepFrom(call, { events: earlier })).toMatchObject({ input: "Hi", output: "Hello" });
});

describe("an event's content", () => {
  test("of a log record is its body", () => {
    expect(eventContent("gen_ai.tool.message", {}, { id: "call_1", content: "rain" })).toEqual({
      inputMessages: [{ role: "tool", id: "call_1", content: "rain" }],
      outputMessages: [],
    });
    const choice = { index: 0, finish_reason: "stop", message: { role: "assistant", content: "Hi" } };
    expect(eventContent("gen_ai.choice", {}, choice)).toMatchObject({
      outputMessages: [{ role: "assistant", content: "Hi" }],
      finishReason: "stop",
    });
  });

  test("of an operation's details consists of all of its messages", () => {
    const content = eventContent("gen_ai.client.inference.operation.details", {
      "gen_ai.system_instructions": [{ type: "text", content: "Be brief." }],
      "gen_ai.input.messages": '[{"role": "user", "parts": []}]',
      "gen_ai.output.messages": [{ role: "assistant", parts: [] }],
    });
    expect(content?.inputMessages).toHaveLength(2);
    expect(content?.outputMessages).toHaveLength(1);
  });

  test("of other events is undefined", () => {
    expect(eventContent("exception", {})).toBeUndefined();
    expect(eventContent("constructor", {})).toBeUndefined();
  });
});
