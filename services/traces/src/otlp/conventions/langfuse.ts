// Langfuse's SDKs: each span is an observation with its type, input and output.

import type { JsonObject } from "@bufbuild/protobuf";
import { text as textOf } from "../json-text.ts";
import type { Facts } from "./facts.ts";
import { type Convention, collected, dollarsIn, json, payload, text, typeBy } from "./rule.ts";

export const langfuse: Convention = {
  attributes: {
    "langfuse.observation.type": typeBy({
      generation: "llm",
      embedding: "embedding",
      agent: "agent",
      tool: "tool",
      retriever: "retriever",
      evaluator: "evaluator",
      guardrail: "guardrail",
      chain: "group",
      span: "group",
      event: "group",
    }),
    "langfuse.observation.input": payload("input"),
    "langfuse.observation.output": payload("output"),
    "langfuse.observation.model.name": text("responseModel"),
    "langfuse.observation.model.parameters": json("params"),
    "langfuse.observation.cost_details": dollarsIn("total", ["input", "output"]),
    "langfuse.session.id": text("sessionId"),
    "langfuse.user.id": text("userId"),
    "langfuse.trace.tags": json("tags"),
    "langfuse.tags": json("tags"),
    "langfuse.trace.metadata": json("metadata"),
  },
  families: { "langfuse.trace.metadata": collected("metadata") },
  complete,
};

function complete(facts: Facts, attributes: JsonObject): void {
  if (attributes["langfuse.observation.level"] === "ERROR")
    facts.errorType ??= textOf(attributes["langfuse.observation.status_message"]) ?? "ERROR";
  // Input and output of the trace are stated on one of its spans, usually the root.
  for (const [fact, name] of [
    ["input", "langfuse.trace.input"],
    ["output", "langfuse.trace.output"],
  ] as const)
    facts[fact] ??= attributes[name];
}
