// Conventions of Vercel's AI SDK.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { isObject, parsed, text as textOf } from "../json-text.ts";
import type { Facts, StepType } from "./facts.ts";
import { type Convention, collected, payload, type Rule, text, tokens } from "./rule.ts";
import { readTokenKinds } from "./token-names.ts";

/** `ai.generateText` is the outer call; `ai.generateText.doGenerate` is the model call inside it. */
const operation: Rule = { fact: "type", read: (value) => operationType(textOf(value) ?? "") };

function operationType(id: string): StepType | undefined {
  if (!id.startsWith("ai.")) return undefined;
  if (/\.(doGenerate|doStream)$/.test(id)) return "llm";
  if (id === "ai.toolCall") return "tool";
  if (id.startsWith("ai.embed")) return "embedding";
  if (id.startsWith("ai.rerank")) return "reranker";
  return "group";
}

const parts = new Set(["text", "toolCalls", "object", "reasoning"]);

const part: Rule = {
  fact: "outputMessages",
  read: (value, { outputMessages }, rest) => {
    if (!parts.has(rest) || value === "") return undefined;
    return Object.assign(isObject(outputMessages) ? outputMessages : {}, { [rest]: value });
  },
};

export const vercelAi: Convention = {
  attributes: {
    "ai.operationId": operation,
    "ai.model.id": text("requestModel"),
    "ai.response.model": text("responseModel"),
    "ai.response.id": text("responseId"),
    "ai.response.finishReason": text("finishReason"),
    "ai.finishReason": text("finishReason"),
    "ai.usage.inputTokens": tokens("promptTokens"),
    "ai.usage.outputTokens": tokens("completionTokens"),
    "ai.usage.promptTokens": tokens("promptTokens"),
    "ai.usage.completionTokens": tokens("completionTokens"),
    "ai.usage.cachedInputTokens": tokens("cachedTokens"),
    "ai.usage.inputTokenDetails.cacheReadTokens": tokens("cachedTokens"),
    "ai.usage.inputTokenDetails.cacheWriteTokens": tokens("cacheWriteTokens"),
    "ai.usage.outputTokenDetails.reasoningTokens": tokens("reasoningTokens"),
    "ai.usage.reasoningTokens": tokens("reasoningTokens"),
    "ai.model.provider": text("provider"),
    "ai.usage.tokens": tokens("promptTokens"),
    "ai.prompt.messages": payload("inputMessages"),
    "ai.prompt": payload("input"),
    "ai.value": payload("input"),
    "ai.values": payload("input"),
    "ai.toolCall.name": text("toolName"),
    "ai.toolCall.id": text("toolCallId"),
    "ai.toolCall.args": payload("toolInput"),
    "ai.toolCall.result": payload("toolOutput"),
  },
  families: {
    "ai.settings": collected("params"),
    "ai.telemetry.metadata": collected("metadata"),
    // Parts of the response are sent as separate attributes.
    "ai.response": part,
    "ai.result": part,
  },
  complete,
};

function complete(facts: Facts, attributes: JsonObject): void {
  // An outer call contains at least one inner call. It counts only if no inner call does.
  facts.isSum = isOuterEmbedding(attributes["ai.operationId"]) || undefined;
  completeUsage(facts, attributes);
  if (isObject(facts.outputMessages)) facts.outputMessages = [responseMessage(facts.outputMessages)];
  if (isObject(facts.metadata)) {
    const { sessionId, userId, tags, ...own } = facts.metadata;
    facts.sessionId = textOf(sessionId);
    facts.userId = textOf(userId);
    if (tags !== undefined) facts.tags = tags;
    facts.metadata = own;
  }
}

/** Providers whose usage excludes the cache from the input. Versions before 6 repeat it. */
const apartProviders = ["anthropic", "bedrock"];

/** Adds the tokens that only the provider's metadata contains. */
function completeUsage(facts: Facts, attributes: JsonObject): void {
  const metadata = parsed(attributes["ai.response.providerMetadata"] ?? null);
  if (!isObject(metadata)) return;
  const { cachedTokens, cacheWriteTokens, reasoningTokens, hourWriteTokens } = readTokenKinds(metadata);
  facts.cachedTokens ??= cachedTokens;
  facts.cacheWriteTokens ??= cacheWriteTokens;
  facts.reasoningTokens ??= reasoningTokens;
  facts.hourWriteTokens ??= hourWriteTokens;
  const hasTotal = "ai.usage.inputTokenDetails.noCacheTokens" in attributes;
  if (hasTotal || facts.promptTokens === undefined || !apartProviders.some((name) => name in metadata)) return;
  facts.promptTokens += (facts.cachedTokens ?? 0) + (facts.cacheWriteTokens ?? 0);
}

function isOuterEmbedding(id: JsonValue | undefined): boolean {
  return id === "ai.embed" || id === "ai.embedMany" || id === "ai.rerank";
}

function responseMessage({ text, object, toolCalls, reasoning }: JsonObject): JsonValue {
  const content = text ?? (object === undefined ? undefined : parsed(object));
  const calls = parsed(toolCalls ?? null);
  return {
    role: "assistant",
    ...(reasoning !== undefined && { reasoning }),
    ...(content !== undefined && { content }),
    ...(Array.isArray(calls) && calls.length > 0 && { toolCalls: calls }),
  };
}

/**
 * Returns the messages in an outer call's prompt, which contains a text or messages and maybe a system prompt;
 * undefined for anything else.
 */
export function promptMessages(input: JsonValue): JsonValue[] | undefined {
  const prompt = parsed(input);
  if (!isObject(prompt)) return undefined;
  const { system, messages, prompt: own, ...rest } = prompt;
  if (Object.keys(rest).length > 0) return undefined;
  const spoken = messages ?? own;
  if (spoken === undefined) return undefined;
  const list = Array.isArray(spoken) ? spoken : [{ role: "user", content: spoken }];
  return system === undefined || system === null ? list : [{ role: "system", content: system }, ...list];
}
