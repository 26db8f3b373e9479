import { expect, test } from "vitest";
import { stepFrom } from "../../../test/read-otlp.ts";

const all = [
  { role: "system", parts: [{ type: "text", content: "Be brief." }] },
  { role: "user", parts: [{ type: "text", content: "¿Llueve? ☔" }] },
  { role: "assistant", parts: [{ type: "tool_call", id: "c1", name: "weather", arguments: { city: "Vigo" } }] },
  { role: "user", parts: [{ type: "tool_call_response", id: "c1", name: "weather", result: "rain" }] },
  { role: "assistant", parts: [{ type: "text", content: "Sí" }] },
];

test("an agent's run has its input and result; its tokens and cost are sums", () => {
  const step = stepFrom(
    {
      model_name: "gpt-4o",
      agent_name: "weather",
      "gen_ai.agent.name": "weather",
      "pydantic_ai.all_messages": JSON.stringify(all),
      final_result: "Sí",
      "gen_ai.usage.input_tokens": 100,
      "gen_ai.aggregated_usage.input_tokens": 100,
      "operation.cost": 0.5,
    },
    { name: "agent run" },
  );
  expect(step).toMatchObject({
    type: "agent",
    output: "Sí",
    modelId: "gpt-4o",
    usage: { promptTokens: 100, completionTokens: 0 },
    costAmount: 0.5,
  });
  expect(JSON.parse(step.input ?? "")).toEqual([
    { role: "system", content: "Be brief." },
    { role: "user", content: "¿Llueve? ☔" },
  ]);
});

test("a call in the earlier form has its events in an attribute, and its cost", () => {
  const events = [
    { content: "Be brief.", role: "system", "event.name": "gen_ai.system.message", "gen_ai.message.index": 0 },
    { content: "¿Llueve?", role: "user", "event.name": "gen_ai.user.message", "gen_ai.message.index": 0 },
    { index: 0, message: { role: "assistant", content: "Sí" }, "event.name": "gen_ai.choice" },
  ];
  const step = stepFrom({
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "gpt-4o",
    events: JSON.stringify(events),
    "operation.cost": 0.25,
  });
  expect(step).toMatchObject({ type: "llm", output: "Sí", costAmount: 0.25 });
  expect(JSON.parse(step.input ?? "")).toMatchObject([{ role: "system" }, { role: "user", content: "¿Llueve?" }]);
});

test("a tool's call in the earlier form", () => {
  const tool = {
    "gen_ai.tool.name": "weather",
    "gen_ai.tool.call.id": "c1",
    tool_arguments: '{"city":"Vigo"}',
    tool_response: "rain",
  };
  expect(stepFrom(tool, { name: "running tool" })).toMatchObject({
    type: "tool",
    name: "weather",
    toolCallId: "c1",
    toolInput: '{"city":"Vigo"}',
    toolOutput: "rain",
  });
});

test("attributes of these names from other senders are ignored", () => {
  expect(stepFrom({ events: "party", model_name: "car" })).toMatchObject({
    type: "group",
    input: undefined,
    metadata: { events: "party", model_name: "car" },
  });
});
