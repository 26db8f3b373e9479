// Converts a model's messages, in the forms of all conventions and vendors, to one readable form.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { isObject, legible, parsed, text } from "./json-text.ts";
import { mediaText } from "./media-text.ts";

/** A message with the fields that were sent: `role`, `content`, `tool_calls`, `tool_call_id` and others. */
export type Message = JsonObject;

export function messages(value: JsonValue): Message[] {
  const json = parsed(value);
  return [json].flat().flatMap((item) => toMessages(item));
}

/** Returns the input: the text if there is a single user message, else the messages as JSON. */
export function inputText(list: readonly Message[]): string {
  const [only] = list;
  const isPlain =
    list.length === 1 && only !== undefined && isText(only) && [undefined, "user"].includes(text(only.role));
  return isPlain ? legibleContent(only) : legible([...list]);
}

/** Returns the output: the text of a single message, else the messages as JSON. */
export function outputText(list: readonly Message[]): string {
  const [only] = list;
  if (only === undefined) return "";
  if (list.length > 1) return legible([...list]);
  return isText(only) ? legibleContent(only) : legible(only);
}

function isText({ content, role: _, ...rest }: Message): boolean {
  return typeof content === "string" && Object.keys(rest).length === 0;
}

function legibleContent({ content }: Message): string {
  // A response in JSON keeps its layout, but not escapes that hide characters.
  return typeof content === "string" && !/\\u[0-9a-fA-F]{4}/.test(content) ? content : legible(content ?? "");
}

function toMessages(item: JsonValue): Message[] {
  const json = parsed(item);
  if (typeof json === "string") return [{ content: json }];
  // LangChain sends several prompts as a list of lists of messages.
  if (Array.isArray(json)) return json.flatMap(toMessages);
  if (!isObject(json)) return json === null ? [] : [{ content: JSON.stringify(json) }];
  const { message, prompt, completion, ...fields } = json;
  const wrapped = message ?? prompt ?? completion;
  if (isObject(wrapped)) return toMessages({ ...fields, ...wrapped });
  if (isObject(json.kwargs) && json.lc !== undefined)
    return toMessages({ role: langchainRole(json.id), ...json.kwargs });
  const kind = json.role === undefined ? kinds.get(json.type) : undefined;
  // Items of OpenAI's Responses API are parts without a message.
  if (kind === "call" || kind === "result") return toMessages({ role: "assistant", parts: [json] });
  const { role, content, contents, parts, text: ownText, tool_calls, toolCalls, finish_reason: _, ...rest } = json;
  const read = new Parts();
  read.addAll(ordered(content ?? ownText ?? null));
  read.addForms([...list(contents), ...list(parts)]);
  for (const call of [...list(tool_calls), ...list(toolCalls)]) read.addCall(call);
  return read.messages(role ?? null, rest);
}

/** Collects the parts of a message's content. */
class Parts {
  readonly content: JsonValue[] = [];
  readonly calls: JsonValue[] = [];
  readonly results: Message[] = [];

  addAll(value: JsonValue): void {
    const json =
      typeof value === "string" && /^\s*\[\s*\{\s*"(?:type|text|toolUse|toolResult)"/.test(value)
        ? parsed(value)
        : value;
    for (const part of Array.isArray(json) ? json : [json]) if (part !== null) this.add(part);
  }

  /** Adds parts of the same message in another form: the texts that both forms have are added once. */
  addForms(forms: readonly JsonValue[]): void {
    if (forms.length === 0) return;
    const other = new Parts();
    other.addAll([...forms]);
    const own = this.#squeezed();
    const more = own === "" ? "" : other.#squeezed();
    if (own !== "" && more.includes(own)) this.content.splice(0);
    else if (more !== "" && own.includes(more)) other.#removeTexts();
    this.content.push(...other.content);
    this.results.push(...other.results);
    for (const call of other.calls) this.addCall(call);
  }

  /** Adds a tool call, unless the message has it in another form. */
  addCall(value: JsonValue): void {
    const call = toolCall(value);
    const id = isObject(call) ? call.id : undefined;
    const isRepeated = id !== undefined && this.calls.some((each) => isObject(each) && each.id === id);
    if (!isRepeated) this.calls.push(call);
  }

  /** Returns the texts without white space, to compare them. */
  #squeezed(): string {
    if (this.content.length === 0) return "";
    return this.content.flatMap((part) => (typeof part === "string" ? part.replace(/\s+/g, "") : [])).join("");
  }

  #removeTexts(): void {
    const rest = this.content.filter((part) => typeof part !== "string");
    this.content.splice(0, Infinity, ...rest);
  }

  add(value: JsonValue): void {
    const part = isObject(value) && isObject(value.message_content) ? value.message_content : value;
    const kind = isObject(part) ? kinds.get(part.type) : undefined;
    const media = isObject(part) && kind === undefined ? mediaText(part) : undefined;
    if (media !== undefined) this.content.push(media);
    else if (isObject(part) && part.type === undefined) this.#addUntyped(part);
    else if (!isObject(part) || kind === undefined) this.content.push(part);
    else if (kind === "text") this.content.push(part.text ?? part.content ?? "");
    else if (kind === "call") this.addCall(part);
    else this.results.push(toolResult(part));
  }

  /** Adds a part of Gemini or Bedrock, which has no type: its only field says what it is. */
  #addUntyped(part: JsonObject): void {
    const { text: own, functionCall, function_call, functionResponse, function_response, ...more } = part;
    const { toolUse, toolResult: answered, ...rest } = more;
    const [call, result] = [
      functionCall ?? function_call ?? toolUse,
      functionResponse ?? function_response ?? answered,
    ];
    const isPlain = Object.keys(rest).every((name) => /^thought/.test(name) || rest[name] === null);
    if (isObject(call)) this.addCall(call);
    else if (isObject(result)) this.results.push(toolResult(result));
    else this.content.push(typeof own === "string" && isPlain ? own : part);
  }

  messages(role: JsonValue, rest: JsonObject): Message[] {
    const { content, calls, results } = this;
    if (content.length === 0 && calls.length === 0 && results.length > 0) return results;
    const own: Message = {
      ...(role !== null && { role }),
      ...(content.length > 0 && { content: toContent(content) }),
      ...(calls.length > 0 && { tool_calls: calls }),
      ...rest,
    };
    return [own, ...results];
  }
}

/** Kinds of message parts, by every type name that senders use. */
const kinds = new Map<JsonValue | undefined, "text" | "call" | "result">(
  Object.entries({
    text: "text",
    input_text: "text",
    output_text: "text",
    tool_call: "call",
    "tool-call": "call",
    tool_use: "call",
    function_call: "call",
    tool_call_response: "result",
    function_call_output: "result",
    "tool-result": "result",
    tool_result: "result",
  } as const),
);

function toContent(parts: readonly JsonValue[]): JsonValue {
  const [first = null] = parts;
  if (parts.every((part) => typeof part === "string")) return parts.join("\n");
  // A single part that is not text remains in a list of parts; other structures are not changed.
  return parts.length === 1 && !(isObject(first) && "type" in first) ? first : [...parts];
}

function toolCall(value: JsonValue): JsonValue {
  const outer = parsed(value);
  const call = isObject(outer) && isObject(outer.tool_call) ? outer.tool_call : outer;
  if (!isObject(call)) return call;
  const {
    function: called,
    id,
    toolCallId,
    toolUseId,
    call_id,
    name,
    toolName,
    arguments: json,
    args,
    input,
    type: _,
    ...rest
  } = call;
  const inner = isObject(called) ? called : {};
  return {
    ...defined({ id: toolCallId ?? toolUseId ?? call_id ?? id, name: name ?? toolName ?? inner.name }),
    arguments: parsed(json ?? args ?? input ?? inner.arguments ?? null),
    ...rest,
  };
}

function toolResult({ id, toolCallId, toolUseId, tool_use_id, call_id, type: _, ...part }: JsonObject): Message {
  const { toolName, name, response, result, output, content, ...rest } = part;
  const value = response ?? result ?? output ?? content ?? null;
  const isWrapped = isObject(value) && "type" in value && "value" in value;
  return {
    role: "tool",
    content: parsed((isWrapped ? value.value : value) ?? null),
    ...defined({ tool_call_id: call_id ?? id ?? toolCallId ?? toolUseId ?? tool_use_id, name: name ?? toolName }),
    ...rest,
  };
}

function defined(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const object: JsonObject = {};
  for (const [name, value] of Object.entries(fields)) if (value !== undefined && value !== null) object[name] = value;
  return object;
}

/** Returns the list that indexed fields (`{"0": "text"}`) represent, and any other value unchanged. */
function ordered(value: JsonValue): JsonValue {
  if (!isObject(value)) return value;
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => /^\d+$/.test(name)) ? Object.values(value) : value;
}

/** Reads a list, or the tree of indexed attributes that represents one. */
function list(value: JsonValue | undefined): JsonValue[] {
  const json = parsed(value ?? null);
  if (Array.isArray(json)) return json;
  return isObject(json) ? Object.values(json) : [];
}

function langchainRole(id: JsonValue | undefined): JsonValue {
  const name = Array.isArray(id) ? String(id.at(-1)) : "";
  const roles: Readonly<Record<string, string>> = { Human: "user", AI: "assistant", System: "system", Tool: "tool" };
  return roles[/^(Human|AI|System|Tool)Message/.exec(name)?.[1] ?? ""] ?? null;
}
