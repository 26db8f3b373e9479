// Earlier versions of OpenTelemetry's conventions for generative AI: usage under other names, and prompts in events or
// log records.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { isObject, parsed, text as textOf } from "../json-text.ts";
import type { Facts } from "./facts.ts";
import { type Convention, payload, tokens } from "./rule.ts";

export const genAiBefore: Convention = {
  attributes: {
    "gen_ai.usage.prompt_tokens": tokens("promptTokens"),
    "gen_ai.usage.completion_tokens": tokens("completionTokens"),
    "gen_ai.prompt": payload("inputMessages"),
    "gen_ai.completion": payload("outputMessages"),
  },
  complete,
};

/** Sets the type, because earlier spans had no operation: a span that names a model is a call. */
function complete(facts: Facts, attributes: JsonObject): void {
  if ("gen_ai.tool.call.id" in attributes) facts.type = "tool";
  else if ("gen_ai.system" in attributes && "gen_ai.request.model" in attributes) facts.type = "llm";
}

/** Messages that an event or a log record adds to its span. */
export interface EventContent {
  readonly inputMessages: readonly JsonValue[];
  readonly outputMessages: readonly JsonValue[];
  readonly finishReason?: string | undefined;
}

const roles: Readonly<Record<string, string>> = {
  "gen_ai.system.message": "system",
  "gen_ai.user.message": "user",
  "gen_ai.assistant.message": "assistant",
  "gen_ai.tool.message": "tool",
};

/**
 * Returns the messages of an event; undefined if it has none. The content is in the attributes, in one attribute as
 * JSON, or in the body of a log record.
 */
export function eventContent(name: string, attributes: JsonObject, body?: JsonValue): EventContent | undefined {
  const none = { inputMessages: [], outputMessages: [] };
  const role = Object.hasOwn(roles, name) ? roles[name] : undefined;
  if (role !== undefined) return { ...none, inputMessages: [{ role, ...readContent(attributes, body) }] };
  switch (name) {
    case "gen_ai.choice": {
      const { message, finish_reason, index: _, ...rest } = readContent(attributes, body);
      const spoken = parsed(message ?? null);
      const fields = isObject(spoken) ? spoken : { ...rest, ...(spoken !== null && { content: spoken }) };
      return { ...none, outputMessages: [{ role: "assistant", ...fields }], finishReason: textOf(finish_reason) };
    }
    case "gen_ai.content.prompt":
      return { ...none, inputMessages: messageList(attributes["gen_ai.prompt"]) };
    case "gen_ai.content.completion":
      return { ...none, outputMessages: messageList(attributes["gen_ai.completion"]) };
    case "gen_ai.client.inference.operation.details": {
      const all = isObject(body) ? { ...body, ...attributes } : attributes;
      return {
        inputMessages: [
          ...systemMessages(all["gen_ai.system_instructions"]),
          ...messageList(all["gen_ai.input.messages"]),
        ],
        outputMessages: messageList(all["gen_ai.output.messages"]),
      };
    }
    default:
      return undefined;
  }
}

function readContent(attributes: JsonObject, body: JsonValue | undefined): JsonObject {
  const content = parsed(body ?? attributes["gen_ai.event.content"] ?? null);
  if (isObject(content)) return content;
  if (content !== null) return { content };
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !/^(gen_ai\.|event\.)/.test(name)));
}

function messageList(value: JsonValue | undefined): JsonValue[] {
  const list = parsed(value ?? null);
  return list === null ? [] : [list].flat();
}

/** Builds a system message whose parts are the instructions. */
export function systemMessages(instructions: JsonValue | undefined): JsonValue[] {
  const parts = messageList(instructions);
  return parts.length === 0 ? [] : [{ role: "system", parts }];
}
