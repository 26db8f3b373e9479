// Prompts of a configuration of promptfoo that can be filled with the variables of a test. Pure.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { type ReadPrompt, readMessages, readPrompt } from "../conversation.ts";
import { isObject } from "../record.ts";
import { isCode, isRemote } from "./paths.ts";
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
  const raw = prompt.raw ?? prompt.content ?? prompt.template ?? prompt.messages ?? prompt.prompt ?? prompt.id;
  const read = raw === undefined ? undefined : readTemplate(raw);
  return read === undefined ? undefined : { ...read, label };
}

const isFile = (text: string) =>
  text.startsWith("file://") ||
  isRemote(text) ||
  text.startsWith("exec:") ||
  (!/[\s{]/.test(text) && (/\.(?:txt|md|jsonl?|ya?ml|csv|j2)$/i.test(text) || /\/.*\*/.test(text) || isCode(text)));

/** Fills the template; undefined if it needs more than variables. */
export function fillPrompt(
  { raw }: Template,
  vars: JsonObject,
  parse: (text: string) => JsonValue | undefined,
): ReadPrompt | undefined {
  const template = typeof raw === "string" ? raw : JSON.stringify(raw);
  // Not a variable, such as `{{question}}`.
  const isJson = /^\s*(?:\[\s*["{[\]]|\{\s*["}])/.test(template);
  const filled = isJson ? fillTemplate(template, vars, true) : undefined;
  const value = filled === undefined ? undefined : parse(filled);
  if (value === undefined) {
    const text = fillTemplate(template, vars);
    return text === undefined || text.trim() === "" ? undefined : { text, metadata: {} };
  }
  const messages = isObject(value) && readMessages(value.messages) !== undefined ? value.messages : value;
  const isChat = messages !== undefined && readMessages(messages) !== undefined;
  return isChat ? readPrompt(messages) : { text: filled ?? "", metadata: {} };
}
