// Reads prompts and expectations from messages of chats, content parts and objects. Pure.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { asText, isBlank, isObject, normalizeName } from "./record.ts";

export interface ReadPrompt {
  readonly text: string;
  /** Last answer of a chat, after its last question. */
  readonly answer?: string;
  /** The rest of the value: earlier messages, and other members of an object. */
  readonly metadata: JsonObject;
}

const askingRoles = new Set(["user", "human"]);
const answeringRoles = new Set(["assistant", "ai", "gpt", "model", "chatbot", "bot"]);

/** Names of the member that is the question, most specific first. */
const questionNames = [
  "question",
  "prompt",
  "query",
  "userinput",
  "input",
  "usermessage",
  "message",
  "messages",
  "instruction",
  "instructions",
  "text",
  "content",
];
const answerNames = [
  "expected",
  "expectedoutput",
  "expectedanswer",
  "answer",
  "groundtruth",
  "reference",
  "ideal",
  "output",
  "response",
  "completion",
  "result",
  "messages",
  "message",
  "text",
  "content",
  "label",
];

export function readPrompt(value: JsonValue): ReadPrompt {
  const messages = readMessages(value);
  if (messages !== undefined) return fromMessages(messages);
  if (Array.isArray(value)) return { text: partsText(value) ?? asText(value), metadata: {} };
  if (!isObject(value)) return { text: asText(value), metadata: {} };
  const name = findMember(value, questionNames);
  const member = name === undefined ? undefined : value[name];
  if (name === undefined || member === undefined) return { text: asText(value), metadata: {} };
  const { text, metadata, ...read } = readPrompt(member);
  return { ...read, text, metadata: { ...without(value, name), ...metadata } };
}

/** Returns the expected answer: a text, or a list of alternatives. */
export function readExpected(value: JsonValue): string | string[] {
  if (Array.isArray(value)) {
    const messages = readMessages(value);
    if (messages !== undefined) return messageText(messages.at(-1) ?? {}) ?? asText(value);
    const parts = partsText(value);
    if (parts !== undefined) return parts;
    return value.map((item) => (isObject(item) ? single(readExpected(item)) : asText(item)));
  }
  if (!isObject(value)) return asText(value);
  if (typeof value.role === "string" && value.content !== undefined) return messageText(value) ?? asText(value);
  const name = findMember(value, answerNames);
  const member = name === undefined ? undefined : value[name];
  return member === undefined || member === null ? asText(value) : readExpected(member);
}

const single = (value: string | string[]) => (typeof value === "string" ? value : JSON.stringify(value));

/** Finds the member with a usual name; of an object with a single member, that one. */
function findMember(value: JsonObject, usual: readonly string[]): string | undefined {
  const names = Object.keys(value).filter((name) => !isBlank(value[name]));
  if (names.length === 1) return names[0];
  const byName = new Map(names.map((name) => [normalizeName(name), name]));
  for (const name of usual) if (byName.has(name)) return byName.get(name);
  return undefined;
}

function without(value: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key, member]) => key !== name && !isBlank(member)));
}

type Message = JsonObject;

/** Returns the messages of a chat, as OpenAI, LangChain, Ragas and ShareGPT write them. */
export function readMessages(value: JsonValue | undefined): Message[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isMessage)) return undefined;
  return value as Message[];
}

function isMessage(value: JsonValue): boolean {
  if (!isObject(value) || getRole(value) === undefined) return false;
  return "content" in value || "value" in value || "tool_calls" in value;
}

function getRole({ role, from, type }: Message): string | undefined {
  const name =
    role ??
    from ??
    (typeof type === "string" && /^(human|ai|user|assistant|system|tool)$/.test(type) ? type : undefined);
  return typeof name === "string" ? name.toLowerCase() : undefined;
}

function fromMessages(messages: readonly Message[]): ReadPrompt {
  const lastQuestion = messages.findLastIndex((message) => askingRoles.has(getRole(message) ?? ""));
  const lastOther = messages.findLastIndex((message) => !answeringRoles.has(getRole(message) ?? ""));
  // Evals of OpenAI often have system messages alone.
  const at = lastQuestion >= 0 ? lastQuestion : Math.max(0, lastOther);
  const question = messages[at] ?? {};
  const answers = messages.slice(at + 1).filter((message) => answeringRoles.has(getRole(message) ?? ""));
  const answered = answers.findLast((message) => messageText(message) !== undefined);
  const answer = answered === undefined ? undefined : messageText(answered);
  const calls = answers.flatMap(({ tool_calls: own }) => (Array.isArray(own) ? own : []));
  const hasOtherParts =
    Array.isArray(question.content) && question.content.some((part) => partText(part) === undefined);
  return {
    text: messageText(question) ?? asText(question.content ?? question.value ?? ""),
    ...(answer !== undefined && { answer }),
    metadata: {
      ...(at > 0 && { messages: messages.slice(0, at) }),
      ...(hasOtherParts && { content: question.content ?? null }),
      ...(calls.length > 0 && { expectedToolCalls: calls }),
    },
  };
}

function messageText({ content, value }: Message): string | undefined {
  const text = content ?? value;
  if (typeof text === "string") return text === "" ? undefined : text;
  return Array.isArray(text) ? partsText(text) : undefined;
}

/** Returns the texts of content parts; undefined for another list. */
function partsText(parts: readonly JsonValue[]): string | undefined {
  const texts = parts.flatMap((part) => partText(part) ?? []);
  return texts.length > 0 ? texts.join("\n") : undefined;
}

/** Reads a part with a type, as of OpenAI; one that is only a text, as of Bedrock and Gemini; or one with a modality. */
function partText(part: JsonValue): string | undefined {
  if (!isObject(part)) return undefined;
  const { type = part.modality, text = part.value } = part;
  const isText = type === undefined ? Object.keys(part).length === 1 : typeof type === "string" && /text$/.test(type);
  return isText && typeof text === "string" ? text : undefined;
}
