// What a convention's attributes say about a span, in words that all conventions share.

import type { JsonValue } from "@bufbuild/protobuf";

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
  /** The model's id of its response: spans with the same one record one call. */
  responseId: string;
  finishReason: string;
  toolName: string;
  toolCallId: string;
  errorType: string;
  sessionId: string;
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
  /** Those of the prompt's tokens that the provider had cached. */
  cachedTokens: number;
  cost: number;
  promptCost: number;
  completionCost: number;
  evaluationScore: number;
}

/** Values that leave the metadata when they become a field of the step, since they may be long. */
export interface Payloads {
  /** Messages in any form that `messages.ts` reads; a list, or a tree of indexed attributes. */
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
  /** Parameters of the call. */
  params: JsonValue;
  tags: JsonValue;
  /** The application's own metadata. */
  metadata: JsonValue;
  /** The span repeats the tokens of the spans within. */
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
