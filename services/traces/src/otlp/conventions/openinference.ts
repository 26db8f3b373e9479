// The OpenInference conventions. They win if a span follows several conventions.

import type { JsonObject } from "@bufbuild/protobuf";
import { isObject, parsed, text as textOf } from "../json-text.ts";
import type { Facts } from "./facts.ts";
import {
  type Convention,
  dollars,
  flag,
  indexed,
  json,
  payload,
  type Rule,
  score,
  text,
  texts,
  tokens,
  typeBy,
} from "./rule.ts";

const attributes: Readonly<Record<string, Rule>> = {
  "openinference.span.kind": typeBy({
    llm: "llm",
    tool: "tool",
    retriever: "retriever",
    reranker: "reranker",
    embedding: "embedding",
    agent: "agent",
    chain: "group",
    guardrail: "guardrail",
    evaluator: "evaluator",
    prompt: "group",
    decision: "group",
  }),
  "input.value": payload("input"),
  "output.value": payload("output"),
  "llm.model_name": text("responseModel"),
  "llm.response.model_name": text("responseModel"),
  "llm.request.model_name": text("requestModel"),
  "llm.finish_reason": texts("finishReason"),
  "llm.invocation_parameters": json("params"),
  "llm.token_count.prompt": tokens("promptTokens"),
  "llm.token_count.completion": tokens("completionTokens"),
  "llm.token_count.prompt_details.cache_read": tokens("cachedTokens"),
  "llm.token_count.prompt_details.cache_write": tokens("cacheWriteTokens"),
  "llm.token_count.completion_details.reasoning": tokens("reasoningTokens"),
  "llm.provider": text("provider"),
  "llm.cost.total": dollars("cost"),
  "llm.cost.prompt": dollars("promptCost"),
  "llm.cost.completion": dollars("completionCost"),
  "embedding.model_name": text("responseModel"),
  "embedding.invocation_parameters": json("params"),
  "embedding.text": payload("input"),
  "reranker.model_name": text("responseModel"),
  "reranker.query": payload("query"),
  "tool.name": text("toolName"),
  "tool.id": text("toolCallId"),
  "tool_call.id": text("toolCallId"),
  "evaluation.name": text("evaluatorName"),
  "evaluation.score": score("evaluationScore"),
  "evaluation.label": text("evaluationLabel"),
  "evaluation.explanation": payload("evaluationExplanation"),
  "guardrail.action": text("guardrailAction"),
  "guardrail.triggered": flag("guardrailTriggered"),
  "guardrail.type": text("guardrailType"),
  "session.id": text("sessionId"),
  "user.id": text("userId"),
  metadata: json("metadata"),
  "tag.tags": json("tags"),
};

const families: Readonly<Record<string, Rule>> = {
  "llm.input_messages": indexed("inputMessages"),
  "llm.output_messages": indexed("outputMessages"),
  "llm.prompts": indexed("inputMessages"),
  "llm.choices": indexed("outputMessages"),
  "retrieval.documents": indexed("documents"),
  "reranker.input_documents": indexed("inputDocuments"),
  "reranker.output_documents": indexed("documents"),
};

/** Adds facts that only the request in `input.value` or the response in `output.value` may contain. */
function complete(facts: Facts, all: JsonObject): void {
  const { params } = facts;
  facts.input ??= crewQuestion(all.crew_tasks);
  if (isObject(params)) facts.requestModel ??= textOf(params.model ?? params.model_name ?? params.model_id);
  if (facts.type === "tool") facts.toolCallId ??= toolCallId(all["output.value"]);
  if (facts.type !== "llm" || typeof facts.output !== "string") return;
  facts.finishReason ??= /"(?:finish_reason|stop_reason|finishReason)": ?"([^"]+)"/.exec(facts.output)?.[1];
  facts.responseId ??= /"id": ?"((?:chatcmpl|cmpl|resp|msg|gen)[-_][^"]+)"/.exec(facts.output)?.[1];
  if (facts.output.includes('"cache_creation_input_tokens"')) completeUsage(facts, facts.output);
}

/** Adds the usage of the cache from a response of Anthropic. Earlier versions state only the input outside of it. */
function completeUsage(facts: Facts, response: string): void {
  facts.hourWriteTokens ??= readCounts(response, "ephemeral_1h_input_tokens")[0];
  if (facts.cachedTokens !== undefined || facts.cacheWriteTokens !== undefined) return;
  const inputs = readCounts(response, "input_tokens");
  if (facts.promptTokens === undefined || facts.promptTokens !== Math.min(...inputs)) return;
  const [cached = 0] = readCounts(response, "cache_read_input_tokens");
  const [written = 0] = readCounts(response, "cache_creation_input_tokens");
  facts.cachedTokens = cached;
  facts.cacheWriteTokens = written;
  facts.promptTokens += cached + written;
}

const countsMax = 100;

/** Reads the first counts of the name. A stream has several; a text may contain any number of them. */
function readCounts(response: string, name: string): number[] {
  const counts: number[] = [];
  for (const [, digits] of response.matchAll(new RegExp(`"${name}": ?(\\d{1,9})\\b`, "g"))) {
    counts.push(Number(digits));
    if (counts.length === countsMax) break;
  }
  return counts;
}

/** Returns the description of a crew's first task, since CrewAI's crews have no other question. */
function crewQuestion(tasks: JsonObject[string] | undefined): string | undefined {
  const list = parsed(tasks ?? null);
  const first = Array.isArray(list) ? list[0] : undefined;
  return isObject(first) ? textOf(first.description) : undefined;
}

/** Reads the id of the tool call from the message with which the tool answers. */
function toolCallId(output: JsonObject[string] | undefined): string | undefined {
  if (typeof output !== "string" || !output.includes("tool_call_id")) return undefined;
  const message = parsed(output);
  if (!isObject(message)) return undefined;
  const { kwargs } = message;
  return textOf(message.tool_call_id) ?? (isObject(kwargs) ? textOf(kwargs.tool_call_id) : undefined);
}

export const openinference: Convention = { attributes, families, complete };
