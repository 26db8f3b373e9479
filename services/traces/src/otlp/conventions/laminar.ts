// Laminar's SDKs: OpenTelemetry's conventions for model calls, and own names for all spans.

import { isObject, text as textOf } from "../json-text.ts";
import type { Facts } from "./facts.ts";
import { type Convention, collected, payload, typeBy } from "./rule.ts";

export const laminar: Convention = {
  attributes: {
    "lmnr.span.type": typeBy({
      llm: "llm",
      cached: "llm",
      tool: "tool",
      evaluator: "evaluator",
      human_evaluator: "evaluator",
      evaluation: "group",
      executor: "group",
    }),
    "lmnr.span.input": payload("input"),
    "lmnr.span.output": payload("output"),
  },
  families: { "lmnr.association.properties": collected("metadata") },
  complete,
};

function complete(facts: Facts): void {
  if (!isObject(facts.metadata)) return;
  const { session_id, user_id, tags, trace_type: _, tracing_level: __, ...own } = facts.metadata;
  facts.sessionId = textOf(session_id);
  facts.userId = textOf(user_id);
  if (tags !== undefined) facts.tags = tags;
  facts.metadata = Object.fromEntries(
    Object.entries(own).map(([name, value]) => [name.replace(/^metadata\./, ""), value]),
  );
}
