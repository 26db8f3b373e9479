// What a payload says, as a judge reads it. Pure.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { jsonTextLimits, tryReadJsonText } from "@ems/kit/readers";

/** The answer in a stored output: undefined when it says nothing. */
export function answerIn(stored: string | null): string | undefined {
  return textIn(stored, "assistant");
}

/** The question in a stored input: undefined when it says nothing. */
export function questionIn(stored: string | null): string | undefined {
  return textIn(stored, "user");
}

function textIn(stored: string | null, role: "assistant" | "user"): string | undefined {
  if (stored === null || stored.trim() === "") return undefined;
  const json = structureIn(stored);
  return json === undefined ? stored : messageText(json, role, stored);
}

/** Of messages the last one of the role; a lone `message` is what it holds; other JSON is as it was sent. */
function messageText(json: JsonValue, role: "assistant" | "user", text = JSON.stringify(json)): string | undefined {
  if (typeof json === "string") return json.trim() === "" ? undefined : json;
  if (Array.isArray(json)) return isConversation(json) ? lastOf(json, role) : text;
  if (!isObject(json)) return text;
  const keys = Object.keys(json);
  if (keys.length === 1 && json.message !== undefined) return messageText(json.message, role);
  const { messages } = json;
  if (Array.isArray(messages) && isConversation(messages)) return lastOf(messages, role);
  if (typeof json.role === "string" && "content" in json) return lastOf([json], role);
  return text;
}

/** Messages without a role are the role's: some senders leave it out. */
function lastOf(messages: readonly JsonObject[], role: string): string | undefined {
  for (const message of messages.toReversed()) {
    if (message.role !== undefined && !rolesOf(role).includes(String(message.role).toLowerCase())) continue;
    const text = contentText(message.content ?? message.parts ?? message.text);
    if (text !== undefined) return text;
  }
  return undefined;
}

function rolesOf(role: string): readonly string[] {
  return role === "assistant" ? ["assistant", "ai", "model"] : ["user", "human"];
}

/** The texts of a message's content, which may have parts of other kinds. */
function contentText(content: JsonValue | undefined): string | undefined {
  if (content === undefined || content === null) return undefined;
  if (typeof content === "string") return content.trim() === "" ? undefined : content;
  if (!Array.isArray(content)) return JSON.stringify(content);
  const texts = content.flatMap((part) => {
    if (typeof part === "string") return part;
    const text = isObject(part) ? (part.text ?? (part.type === "text" ? part.content : undefined)) : undefined;
    return typeof text === "string" ? text : [];
  });
  const text = texts.join("\n");
  return text.trim() === "" ? undefined : text;
}

function isConversation(list: readonly JsonValue[]): list is JsonObject[] {
  const isMessage = (one: JsonValue) => isObject(one) && ("role" in one || "content" in one || "parts" in one);
  return list.length > 0 && list.every(isMessage) && list.some((one) => isObject(one) && "role" in one);
}

/** Objects and lists; texts and numbers stay as they were sent. */
function structureIn(text: string): JsonValue | undefined {
  return /^\s*[[{]/.test(text) ? tryReadJsonText(text, jsonTextLimits) : undefined;
}

function isObject(json: JsonValue | undefined): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
