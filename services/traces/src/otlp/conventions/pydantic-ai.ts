// Pydantic AI: OpenTelemetry's conventions, with additions for its agents and tools.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { tokenCount } from "@ems/kit/edges";
import { isObject, parsed } from "../json-text.ts";
import type { Facts } from "./facts.ts";
import { eventContent } from "./gen-ai-before.ts";
import { type Convention, dollars, payload, text } from "./rule.ts";

export const pydanticAi: Convention = {
  attributes: {
    "pydantic_ai.all_messages": payload("inputMessages"),
    all_messages_events: payload("inputMessages"),
    events: payload("inputMessages"),
    final_result: payload("output"),
    "operation.cost": dollars("cost"),
    tool_arguments: payload("toolInput"),
    tool_response: payload("toolOutput"),
    model_name: text("requestModel"),
  },
  complete,
};

function complete(facts: Facts, attributes: JsonObject): void {
  completeUsage(facts, attributes);
  const isAgent = "pydantic_ai.all_messages" in attributes || "all_messages_events" in attributes;
  if (isAgent) facts.type = "agent";
  if (facts.inputMessages === undefined) return;
  const { input, output } = dialogue(facts.inputMessages, isAgent);
  facts.inputMessages = input.length > 0 ? input : undefined;
  if (output.length > 0) facts.outputMessages = output;
}

const details = "gen_ai.usage.details";

/**
 * Corrects versions whose package of prices does not understand the usage of Anthropic: they state only the provider's
 * own numbers, in which the input excludes the cache, and no cost.
 */
function completeUsage(facts: Facts, attributes: JsonObject): void {
  if ("gen_ai.usage.input_tokens" in attributes || "gen_ai.usage.output_tokens" in attributes) return;
  const count = (name: string) => tokenCount(attributes[`${details}.${name}`]);
  const [input, read, created] = [
    count("input_tokens"),
    count("cache_read_input_tokens"),
    count("cache_creation_input_tokens"),
  ];
  if (input === undefined) return;
  facts.promptTokens = input + (read ?? 0) + (created ?? 0);
  if (facts.cost === 0) facts.cost = undefined;
}

/** Splits messages: an agent's begin with its input and end with its output. Earlier calls have events instead. */
function dialogue(value: JsonValue, isAgent: boolean): { input: JsonValue[]; output: JsonValue[] } {
  const list = [parsed(value)].flat();
  const input: JsonValue[] = [];
  const output: JsonValue[] = [];
  for (const item of list) {
    const { "event.name": name, ...fields } = isObject(item) ? item : {};
    const content = typeof name === "string" ? eventContent(name, {}, fields) : undefined;
    input.push(...(content?.inputMessages ?? (isObject(item) ? [item] : [])));
    output.push(...(content?.outputMessages ?? []));
  }
  if (!isAgent) return { input, output };
  const isSpoken = (message: JsonValue) => isObject(message) && message.role === "assistant";
  const first = input.findIndex(isSpoken);
  const last = input.at(-1);
  if (output.length === 0 && last !== undefined && isSpoken(last)) output.push(last);
  return { input: first === -1 ? input : input.slice(0, first), output };
}
