// Prompts of a configuration of promptfoo that can be filled with the variables of a test. Pure.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { type ReadPrompt, readMessages, readPrompt } from "../conversation.ts";
import { isObject } from "../record.ts";
import { fillTemplate } from "./template.ts";

export interface Template {
  readonly label: string | undefined;
  /** Text or messages with variables. */
  readonly raw: string | JsonValue[];
}

/** Returns the template; undefined for a prompt in a file or in code. */
export function readTemplate(prompt: JsonValue): Template | undefined {
  if (typeof prompt === "string") return isFile(prompt) ? undefined : { label: undefined, raw: prompt };
  if (Array.isArray(prompt)) return readMessages(prompt) === undefined ? undefined : { label: undefined, raw: prompt };
  if (!isObject(prompt)) return undefined;
  const label = typeof prompt.label === "string" ? prompt.label : undefined;
  const raw = prompt.raw ?? prompt.content ?? prompt.template ?? prompt.messages ?? prompt.prompt;
  const read = raw === undefined ? undefined : readTemplate(raw);
  return read === undefined ? undefined : { ...read, label };
}

const isFile = (text: string) =>
  /^(?:file|exec|https?|langfuse|portkey|helicone):/.test(text) ||
  (!/[\s{]/.test(text) && /\.(?:txt|md|json|jsonl|ya?ml|csv|j2|py|[cm]?[jt]s)(?::\w+)?$/.test(text));

/** Fills the template; undefined if it needs more than variables. */
export function fillPrompt(
  { raw }: Template,
  vars: JsonObject,
  parse: (text: string) => JsonValue | undefined,
): ReadPrompt | undefined {
  const isJson = typeof raw !== "string" || /^\s*[[{]\s*["{\]]/.test(raw);
  const text = fillTemplate(typeof raw === "string" ? raw : JSON.stringify(raw), vars, isJson);
  if (text === undefined || text.trim() === "") return undefined;
  const value = isJson ? parse(text) : undefined;
  const messages = isObject(value) && readMessages(value.messages) !== undefined ? value.messages : value;
  return readMessages(messages) === undefined || messages === undefined ? { text, metadata: {} } : readPrompt(messages);
}
