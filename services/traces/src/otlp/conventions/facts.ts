// Facts about a span from its attributes, under the same names for all conventions.

import type { JsonValue } from "@bufbuild/protobuf";
import type { SentTokens } from "../../traces/index.ts";

export type StepType =
  | "llm"
  | "tool"
  | "retriever"
  | "reranker"
  | "agent"
  | "embedding"
  | "guardrail"
  | "evaluator"
  | "group";

interface Texts {
  responseModel: string;
  requestModel: string;
  /** Provider of the model, whose prices apply. */
  provider: string;
  /** Id that the model gave to its response. Spans with the same response id record the same call. */
  responseId: string;
  finishReason: string;
  toolName: string;
  toolCallId: string;
  errorType: string;
  sessionId: string;
  /** Id that a framework gave to the conversation: the session of traces whose application states none. */
  conversationId: string;
  userId: string;
  testId: string;
  taskId: string;
  topicId: string;
  httpStatus: string;
  evaluatorName: string;
  evaluationLabel: string;
  guardrailAction: string;
  guardrailType: string;
}

interface Numbers {
  promptTokens: number;
  completionTokens: number;
  /** Prompt tokens that the provider read from its cache, and wrote to it. */
  cachedTokens: number;
  cacheWriteTokens: number;
  hourWriteTokens: number;
  reasoningTokens: number;
  cost: number;
  promptCost: number;
  completionCost: number;
  evaluationScore: number;
}

/** Values that may be long. A value that becomes a field of the step is removed from the metadata. */
export interface Payloads {
  /** Messages in any form that `messages.ts` reads: a list, or a tree of indexed attributes. */
  inputMessages: JsonValue;
  outputMessages: JsonValue;
  systemInstructions: JsonValue;
  input: JsonValue;
  output: JsonValue;
  toolInput: JsonValue;
  toolOutput: JsonValue;
  query: JsonValue;
  documents: JsonValue;
  inputDocuments: JsonValue;
  evaluationExplanation: JsonValue;
}

interface Values {
  type: StepType;
  guardrailTriggered: boolean;
  /** Parameters of the model call. */
  params: JsonValue;
  tags: JsonValue;
  /** Metadata that the application itself added. */
  metadata: JsonValue;
  /** Usage from one attribute, as an object. */
  usage: SentTokens;
  /** True if the span repeats the tokens of the spans within it. */
  isSum: boolean;
}

type All = Texts & Numbers & Payloads & Values;
export type Facts = { [K in keyof All]?: All[K] | undefined };
export type FactName = keyof Facts;

const payloads: Readonly<Record<keyof Payloads, true>> = {
  inputMessages: true,
  outputMessages: true,
  systemInstructions: true,
  input: true,
  output: true,
  toolInput: true,
  toolOutput: true,
  query: true,
  documents: true,
  inputDocuments: true,
  evaluationExplanation: true,
};

export function isPayload(fact: FactName): fact is keyof Payloads {
  return Object.hasOwn(payloads, fact);
}
