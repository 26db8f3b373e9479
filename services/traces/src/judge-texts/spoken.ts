// Pure: finds the words of a person or a model in the JSON of messages, requests and responses.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

export type Role = "assistant" | "user";

/** Names under which requests of frameworks state the question, in order of precedence. */
const questionNames = [
  "question",
  "query",
  "user_input",
  "userInput",
  "user_msg",
  "user_message",
  "user_prompt",
  "userPrompt",
  "prompt",
  "input",
  "inputs",
  "new_message",
  "message",
  "messages",
  "contents",
  "task",
  "text",
  "content",
];

/** Names of a response's only field, or of the one next to the framework's own fields. */
const answerNames = ["output", "answer", "result", "response", "text", "content", "message"];

/** Fields of responses that are not part of the answer. */
const besides = new Set(
  [
    ...["input", "inputs", "question", "query", "history", "chat_history", "messages", "context", "documents"],
    ...[
      "source_documents",
      "intermediate_steps",
      "reasoning",
      "rationale",
      "usage",
      "metadata",
      "model",
      "id",
      "run_id",
      "type",
      "role",
    ],
  ].flatMap((name) => [name, name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())]),
);

/** Fields of responses that contain messages, with their number of enclosing lists. */
const messageNames = ["messages", "choices", "candidates", "generations", "replies", "output", "contents"];

const depthMax = 8;

/**
 * Returns the words of the role's last message, or those that an object names; "silent" if messages have none; undefined
 * for other data.
 */
export function readSpoken(json: JsonValue, role: Role, depth = 0): string | "silent" | undefined {
  if (depth > depthMax) return undefined;
  if (typeof json === "string") return json.trim() === "" ? "silent" : json;
  if (Array.isArray(json)) return readList(json, role, depth);
  if (!isObject(json)) return undefined;
  // The output of a crew or a task of CrewAI.
  if (role === "assistant" && typeof json.raw === "string" && "json_dict" in json) return json.raw;
  if (isMessage(json) && typeof json.role === "string") return findLast([json], role) ?? "silent";
  let silent: "silent" | undefined;
  for (const name of messageNames) {
    const list = json[name];
    const found = Array.isArray(list) ? readList(list, role, depth) : undefined;
    if (found !== undefined && found !== "silent") return found;
    silent ??= found;
  }
  return (role === "user" ? readQuestion(json, depth) : readAnswer(json, depth)) ?? silent;
}

function readList(list: readonly JsonValue[], role: Role, depth: number): string | "silent" | undefined {
  const messages = list.flatMap((item) => unwrap(item));
  if (isConversation(messages)) return findLast(messages, role) ?? "silent";
  const [only] = list;
  // Lists of lists of messages, as LangChain sends them; a list of one question.
  if (list.length !== 1 || only === undefined) return undefined;
  return Array.isArray(only) || (typeof only === "string" && role === "user")
    ? readSpoken(only, role, depth + 1)
    : undefined;
}

/** Returns the message in a choice of a response, or the item itself. */
function unwrap(item: JsonValue): JsonValue[] {
  if (!isObject(item)) return [item];
  const { message, content, text = null } = item;
  if (isObject(message)) return [{ role: "assistant", text, ...message }];
  return isObject(content) && "parts" in content ? [{ role: "assistant", ...content }] : [item];
}

function readQuestion(json: JsonObject, depth: number): string | "silent" | undefined {
  if (Array.isArray(json.parts)) return contentText(json.parts);
  for (const name of questionNames) {
    const value = Object.hasOwn(json, name) ? json[name] : undefined;
    const found = value === undefined || value === null ? undefined : readSpoken(value, "user", depth + 1);
    if (found !== undefined && found !== "silent") return found;
  }
  // A call of a function with the question as its only argument.
  const [only, ...rest] = Object.values(json);
  if (rest.length > 0) return undefined;
  const isSentence = typeof only === "string" && /\S\s+\S/.test(only);
  return isSentence || isObject(only) ? readSpoken(only, "user", depth + 1) : undefined;
}

function readAnswer(json: JsonObject, depth: number): string | "silent" | undefined {
  if (Array.isArray(json.parts)) return contentText(json.parts);
  const keys = Object.keys(json);
  const named = answerNames.find((name) => keys.includes(name));
  if (named === undefined || (named === "message" && keys.length > 1)) return undefined;
  const isOnly = keys.every((key) => key === named || besides.has(key));
  return isOnly ? readSpoken(json[named] ?? null, "assistant", depth + 1) : undefined;
}

/** Finds the role's last message. Some senders omit roles, so a message without a role matches any role. */
function findLast(messages: readonly JsonObject[], role: Role): string | undefined {
  for (const message of messages.toReversed()) {
    if (message.role !== undefined && !hasRole(message.role, role)) continue;
    const text = contentText(
      message.content ?? message.contents ?? message.parts ?? message.blocks ?? message.text ?? undefined,
    );
    if (text !== undefined) return text;
  }
  return undefined;
}

const roles = { assistant: /(?:^|\W|_)(?:assistant|ai|model)$/i, user: /(?:^|\W|_)(?:user|human)$/i };

function hasRole(value: JsonValue, role: Role): boolean {
  return roles[role].test(String(value));
}

/** Returns the texts in a message's content; its parts of other kinds are skipped. */
function contentText(content: JsonValue | undefined): string | undefined {
  if (content === undefined || content === null) return undefined;
  if (typeof content === "string") return content.trim() === "" ? undefined : content;
  const parts = isObject(content) && isIndexed(content) ? Object.values(content) : content;
  if (!Array.isArray(parts))
    return isObject(content) ? (partText(content) ?? JSON.stringify(content)) : String(content);
  const text = parts.flatMap((part) => partText(part) ?? []).join("\n");
  return text.trim() === "" ? undefined : text;
}

const silentParts = new Set(["reasoning", "thinking", "redacted_thinking"]);

function partText(part: JsonValue): string | undefined {
  if (typeof part === "string") return part;
  if (!isObject(part) || part.thought === true || silentParts.has(String(part.type))) return undefined;
  const text = part.text ?? (part.type === "text" ? part.content : undefined);
  return typeof text === "string" ? text : undefined;
}

function isIndexed(json: JsonObject): boolean {
  const keys = Object.keys(json);
  return keys.length > 0 && keys.every((key) => /^\d+$/.test(key));
}

function isMessage(json: JsonValue): json is JsonObject {
  return isObject(json) && ["role", "content", "parts", "tool_calls", "blocks"].some((name) => name in json);
}

/** True for messages, of which some have roles. Responses also contain items of other types, such as reasoning. */
function isConversation(list: readonly JsonValue[]): list is JsonObject[] {
  return (
    list.some((item) => isMessage(item) && "role" in item) &&
    list.every((item) => isMessage(item) || (isObject(item) && typeof item.type === "string"))
  );
}

export function isObject(json: JsonValue | undefined): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
