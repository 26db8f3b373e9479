// OpenLLMetry: OpenTelemetry's conventions, workflow spans, and OpenLLMetry's earlier names.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { isObject, parsed, text as textOf } from "../json-text.ts";
import type { Facts } from "./facts.ts";
import { type Convention, collected, indexed, payload, text, toList, typeBy } from "./rule.ts";

const kinds = typeBy({ workflow: "group", task: "group", agent: "agent", tool: "tool" });
const operations = typeBy({ execute_task: "group", vector_db_retrieve: "retriever" });
const requests = typeBy({ chat: "llm", completion: "llm", embedding: "embedding", rerank: "reranker" });

export const openllmetry: Convention = {
  attributes: {
    "traceloop.span.kind": kinds,
    "gen_ai.operation.name": operations,
    "llm.request.type": requests,
    "traceloop.entity.name": text("toolName"),
    "traceloop.entity.input": payload("input"),
    "traceloop.entity.output": payload("output"),
  },
  families: {
    "traceloop.association.properties": collected("metadata"),
    "gen_ai.prompt": indexed("inputMessages"),
    "gen_ai.completion": indexed("outputMessages"),
  },
  complete,
};

function complete(facts: Facts, attributes: JsonObject): void {
  if (isObject(facts.metadata)) {
    const { session_id, user_id, ...own } = facts.metadata;
    facts.sessionId = textOf(session_id);
    facts.userId = textOf(user_id);
    facts.metadata = own;
  }
  // Earlier spans of vector databases contain their results in events.
  if ("db.vector.query.top_k" in attributes) facts.type ??= "retriever";
  const [first] = toList(facts.outputMessages);
  if (isObject(first)) facts.finishReason = textOf(first.finish_reason);
}

/** Returns the arguments of a decorated function: the only argument itself, or an object of the named ones. */
export function callArguments(input: JsonValue): JsonValue {
  const call = parsed(input);
  if (!isObject(call) || !Array.isArray(call.args) || !isObject(call.kwargs) || Object.keys(call).length > 2)
    return call;
  const { args, kwargs } = call;
  if (Object.keys(kwargs).length > 0) return args.length === 0 ? kwargs : call;
  return args.length === 1 ? (args[0] ?? null) : args;
}

/** Reads a result of a vector database, which earlier versions sent as an event of the database's span. */
export function resultDocument(name: string, attributes: JsonObject): JsonObject | undefined {
  if (name !== "db.query.result") return undefined;
  const prefix = `${name}.`;
  const fields = Object.entries(attributes).map(([key, value]): [string, JsonValue] => [
    key.startsWith(prefix) ? key.slice(prefix.length) : key,
    value,
  ]);
  return Object.fromEntries(fields);
}
