// Maps the payloads of a span to fields of its step, depending on the step's type.

import type { JsonValue } from "@bufbuild/protobuf";
import type { Payloads, StepType } from "./conventions/facts.ts";
import { systemMessages } from "./conventions/gen-ai-before.ts";
import { callArguments } from "./conventions/openllmetry.ts";
import type { Reading } from "./conventions/read-conventions.ts";
import { promptMessages } from "./conventions/vercel-ai.ts";
import { documents } from "./documents.ts";
import { isObject, legible, parsed } from "./json-text.ts";
import { inputText, messages, outputText } from "./messages.ts";
import { requestMessages, responseMessages } from "./requests.ts";
import type { SpanEvents } from "./span-events.ts";
import { toolInputText, toolOutputText } from "./tool-payloads.ts";

export interface PayloadFields {
  readonly input?: string | undefined;
  readonly output?: string | undefined;
  readonly toolInput?: string | undefined;
  readonly toolOutput?: string | undefined;
  readonly query?: string | undefined;
  readonly result?: string | undefined;
  readonly evaluationExplanation?: string | undefined;
}

export function payloadFields(type: StepType, reading: Reading, events: SpanEvents): PayloadFields {
  switch (type) {
    case "tool":
      return {
        toolInput:
          first(reading, ["toolInput", "input"], toolInputText) ?? eventText(events.inputMessages, toolInputText),
        toolOutput:
          first(reading, ["toolOutput", "output"], toolOutputText) ?? eventText(events.outputMessages, toolOutputText),
      };
    case "retriever":
      return { query: first(reading, ["query", "input"]), result: found(reading, events) };
    case "reranker":
      return { input: rerankerInput(reading), output: found(reading, events) };
    case "evaluator":
      return { ...dialogue(type, reading, events), evaluationExplanation: first(reading, ["evaluationExplanation"]) };
    default:
      return dialogue(type, reading, events);
  }
}

/** Builds input and output. Messages take precedence over raw JSON of request and response, which some spans have. */
function dialogue(type: StepType, reading: Reading, events: SpanEvents): PayloadFields {
  const output = reading.use("outputMessages");
  const outputs = output === undefined ? events.outputMessages : treeList(output);
  return {
    input: dialogueInput(type, reading, events),
    output: outputs.length > 0 ? outputText(outputs.flatMap(messages)) : responseText(type, reading),
  };
}

function dialogueInput(type: StepType, reading: Reading, { inputMessages }: SpanEvents): string | undefined {
  const input = reading.use("inputMessages");
  // System instructions alone are not the input: they stay in the metadata of a span that states it otherwise.
  const raw = inputMessages.length === 0 && input === undefined ? requestText(type, reading) : undefined;
  if (raw !== undefined) return raw;
  const sent = input === undefined ? [] : treeList(input);
  const inputs = [...inputMessages, ...systemMessages(reading.use("systemInstructions")), ...sent];
  return inputs.length > 0 ? inputText(inputs.flatMap(messages)) : undefined;
}

/** Returns the content of a tool's last message in events, which Strands sends. */
function eventText(sent: readonly JsonValue[], toText: (value: JsonValue) => string): string | undefined {
  const last = sent.at(-1);
  const content = isObject(last) ? last.content : undefined;
  return content === undefined || content === null ? undefined : toText(content);
}

/** Returns the messages of a model's raw request, which then stays in the metadata; else the input itself. */
function requestText(type: StepType, reading: Reading): string | undefined {
  const sent = type === "llm" ? requestMessages(reading.get("input")) : undefined;
  if (sent !== undefined) {
    if (sent.isWhole) reading.use("input");
    return inputText(sent.messages.flatMap(messages));
  }
  const input = reading.use("input");
  if (input === undefined) return undefined;
  const prompt = promptMessages(input);
  return prompt === undefined ? legible(callArguments(input)) : inputText(prompt.flatMap(messages));
}

/** Returns the messages of a model's raw response, which then stays in the metadata; else the output itself. */
function responseText(type: StepType, reading: Reading): string | undefined {
  const sent = type === "llm" ? responseMessages(reading.get("output")) : undefined;
  if (sent === undefined) return toLegible(reading.use("output"));
  if (sent.isWhole) reading.use("output");
  return outputText(sent.messages.flatMap(messages));
}

/** Returns indexed attributes in the order of their indexes, and any other value in a list of one element. */
function treeList(value: JsonValue): JsonValue[] {
  const json = parsed(value);
  if (Array.isArray(json)) return json;
  const isTree = isObject(json) && Object.keys(json).every((key) => /^\d+$/.test(key));
  return isTree ? Object.values(json) : [json];
}

function rerankerInput(reading: Reading): string | undefined {
  const query = reading.use("query");
  const candidates = reading.use("inputDocuments");
  if (query === undefined) return first(reading, ["input"]);
  return candidates === undefined
    ? legible(query)
    : legible({ query: parsed(query), documents: documents(candidates) });
}

function found(reading: Reading, events: SpanEvents): string | undefined {
  const list = reading.use("documents") ?? (events.documents.length > 0 ? [...events.documents] : undefined);
  return list === undefined ? toLegible(reading.use("output")) : legible(documents(list));
}

function first(
  reading: Reading,
  facts: readonly (keyof Payloads)[],
  toText: (value: JsonValue) => string = callText,
): string | undefined {
  const fact = facts.find((each) => reading.get(each) !== undefined);
  const value = fact === undefined ? undefined : reading.use(fact);
  return value === undefined ? undefined : toText(value);
}

function toLegible(value: JsonValue | undefined): string | undefined {
  return value === undefined ? undefined : callText(value);
}

function callText(value: JsonValue): string {
  return legible(callArguments(value));
}
