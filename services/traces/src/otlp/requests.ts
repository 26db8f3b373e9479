// Finds the messages in raw requests and responses of models, for spans that have no messages apart.

import type { JsonValue } from "@bufbuild/protobuf";
import { isObject, parsed } from "./json-text.ts";

interface Found {
  readonly messages: readonly JsonValue[];
  /** True if the value is nothing but the messages. */
  readonly isWhole: boolean;
}

/** Returns the messages of a request in the format of OpenAI, Anthropic or Gemini; undefined for other data. */
export function requestMessages(value: JsonValue | undefined): Found | undefined {
  const request = parsed(value ?? null);
  if (isConversation(request)) return { messages: request, isWhole: true };
  if (!isObject(request)) return undefined;
  const { messages, contents, input, system, instructions, systemInstruction } = request;
  const list = [messages, contents, input].find(isConversation);
  const own =
    list ?? (typeof input === "string" && "model" in request ? [{ role: "user", content: input }] : undefined);
  if (own === undefined) return undefined;
  const instruction = system ?? instructions ?? systemInstruction ?? null;
  const content = isObject(instruction) && "parts" in instruction ? instruction.parts : instruction;
  const first: JsonValue[] = content === null || content === undefined ? [] : [{ role: "system", content }];
  return { messages: [...first, ...own], isWhole: first.length === 0 && Object.keys(request).length === 1 };
}

/** Returns the messages of a response in the format of OpenAI, Anthropic or Gemini; undefined for other data. */
export function responseMessages(value: JsonValue | undefined): Found | undefined {
  const response = parsed(value ?? null);
  if (isConversation(response)) return { messages: response, isWhole: true };
  if (!isObject(response)) return undefined;
  if (typeof response.role === "string" && ("content" in response || "tool_calls" in response)) {
    // Responses of Anthropic are messages with other fields, such as usage.
    const { role, content = null, tool_calls = null } = response;
    const isWhole = Object.keys(response).every((name) => ["role", "content", "tool_calls"].includes(name));
    return { messages: [{ role, content, ...(tool_calls !== null && { tool_calls }) }], isWhole };
  }
  const { choices, candidates, output } = response;
  const choice = [choices, candidates].find((list) => Array.isArray(list) && list.length > 0);
  if (Array.isArray(choice)) {
    const spoken = choice.flatMap((each) => (isObject(each) ? (each.message ?? each.content ?? []) : []));
    return spoken.length > 0 ? { messages: spoken, isWhole: false } : undefined;
  }
  if (!isConversation(output)) return undefined;
  return { messages: output.filter((item) => isObject(item) && item.type !== "reasoning"), isWhole: false };
}

/** True for messages and the items between them, such as calls of tools. */
function isConversation(value: JsonValue | undefined): value is JsonValue[] {
  if (!Array.isArray(value) || value.length === 0) return false;
  const isItem = (item: JsonValue) =>
    isObject(item) && (typeof item.role === "string" || typeof item.type === "string");
  return (
    value.every(isItem) && value.some((item) => isObject(item) && (typeof item.role === "string" || isCall(item.type)))
  );
}

const isCall = (type: JsonValue | undefined) => type === "function_call" || type === "function_call_output";
