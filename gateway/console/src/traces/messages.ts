// Parses chat messages and JSON in a step's input or output.

import { parseJson } from "../api/exact-json.ts";

export interface ChatMessage {
  readonly role: string;
  readonly text: string;
}

/** Parses `[{role, content}]` or `{messages: […]}`; undefined for anything else. */
export function parseMessages(payload: string): ChatMessage[] | undefined {
  const value = parsed(payload);
  const list = Array.isArray(value)
    ? value
    : isObject(value) && Array.isArray(value.messages)
      ? value.messages
      : undefined;
  if (list === undefined || list.length === 0) return undefined;
  const messages = list.map(message);
  return messages.every((each) => each !== undefined) ? messages : undefined;
}

/** Formats a JSON object or list with indentation; undefined for anything else. */
export function formatJson(payload: string): string | undefined {
  const value = parsed(payload);
  return typeof value === "object" && value !== null ? JSON.stringify(value, null, 2) : undefined;
}

/** Returns the text in `{"message": text}`, the form in which the API returns text that is not JSON. */
export function unwrapText(payload: string): string {
  const value = parsed(payload);
  if (!isObject(value)) return typeof value === "string" ? value : payload;
  const [first, ...rest] = Object.entries(value);
  return rest.length === 0 && first?.[0] === "message" && typeof first[1] === "string" ? first[1] : payload;
}

function message(value: unknown): ChatMessage | undefined {
  if (!isObject(value) || typeof value.role !== "string") return undefined;
  return { role: value.role, text: contentText(value.content ?? value.parts ?? value.tool_calls) };
}

function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return content === undefined || content === null ? "" : JSON.stringify(content, null, 2);
  const part = (each: unknown) =>
    typeof each === "string"
      ? each
      : isObject(each) && typeof each.text === "string"
        ? each.text
        : JSON.stringify(each);
  return content.map(part).join("\n");
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function parsed(text: string): unknown {
  if (!/^\s*[[{"]/.test(text)) return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
