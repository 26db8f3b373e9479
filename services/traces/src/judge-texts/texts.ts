// Pure: extracts texts for a judge from payloads.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { jsonTextLimits, tryReadJsonText } from "@ems/kit/readers";

/** Returns the answer contained in a stored output; undefined if there is none. */
export function answerIn(stored: string | null): string | undefined {
  return textIn(stored, "assistant");
}

/** Returns the question contained in a stored input; undefined if there is none. */
export function questionIn(stored: string | null): string | undefined {
  return textIn(stored, "user");
}

function textIn(stored: string | null, role: "assistant" | "user"): string | undefined {
  if (stored === null || stored.trim() === "") return undefined;
  const json = structureIn(stored);
  return json === undefined ? stored : messageText(json, role, stored);
}

/** Returns the text of the role's last message, or of a single `message`; returns other JSON as sent. */
function messageText(json: JsonValue, role: "assistant" | "user", text = JSON.stringify(json)): string | undefined {
  if (typeof json === "string") return json.trim() === "" ? undefined : json;
  if (Array.isArray(json)) return isConversation(json) ? findLast(json, role) : text;
  if (!isObject(json)) return text;
  const keys = Object.keys(json);
  if (keys.length === 1 && json.message !== undefined) return messageText(json.message, role);
  const { messages } = json;
  if (Array.isArray(messages) && isConversation(messages)) return findLast(messages, role);
  if (typeof json.role === "string" && "content" in json) return findLast([json], role);
  return text;
}

/** Finds the role's last message. Some senders omit roles, so a message without a role matches any role. */
function findLast(messages: readonly JsonObject[], role: string): string | undefined {
  for (const message of messages.toReversed()) {
    if (message.role !== undefined && !listRoles(role).includes(String(message.role).toLowerCase())) continue;
    const text = contentText(message.content ?? message.parts ?? message.text);
    if (text !== undefined) return text;
  }
  return undefined;
}

function listRoles(role: string): readonly string[] {
  return role === "assistant" ? ["assistant", "ai", "model"] : ["user", "human"];
}

/** Returns the texts in a message's content; its parts of other kinds are skipped. */
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
  const isMessage = (json: JsonValue) => isObject(json) && ("role" in json || "content" in json || "parts" in json);
  return list.length > 0 && list.every(isMessage) && list.some((item) => isObject(item) && "role" in item);
}

/** Parses objects and lists; undefined for plain texts and numbers, which remain as sent. */
function structureIn(text: string): JsonValue | undefined {
  return /^\s*[[{]/.test(text) ? tryReadJsonText(text, jsonTextLimits) : undefined;
}

function isObject(json: JsonValue | undefined): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
