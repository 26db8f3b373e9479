// Draft of a definition's trial, and its conversion to a request.

import type { Schemas } from "../api/request.ts";
import { type DefinitionDraft, toSettings } from "./definition-draft.ts";

export interface TrialDraft {
  readonly source: "answer" | "trace";
  readonly question: string;
  readonly answer: string;
  readonly context: readonly string[];
  readonly traceId: string;
  /** Expected text. If the definition compares lists, `items` is used instead. */
  readonly expected: string;
  readonly items: readonly string[];
}

export const newTrial: TrialDraft = {
  source: "answer",
  question: "",
  answer: "",
  context: [],
  traceId: "",
  expected: "",
  items: [""],
};

/** Returns which form fields a trial of the definition needs. */
export const toTrialParts = ({ type, comparison }: Pick<DefinitionDraft, "type" | "comparison">) => ({
  isList: type === "OUTPUT_MATCH" && comparison === "list",
  isCompared: type === "OUTPUT_MATCH" || type === "FACT",
  hasQuestion: type !== "OUTPUT_MATCH",
  hasContext: type === "RECALL",
});

export function toTrialRequest(definition: DefinitionDraft, draft: TrialDraft): Schemas["TryDefinitionRequest"] {
  const { isList, isCompared, hasContext } = toTrialParts(definition);
  const { source, question, answer, context, traceId, items } = draft;
  const expected = isList ? items.filter(isText) : draft.expected;
  return {
    type: definition.type,
    ...toSettings(definition),
    ...(source === "trace"
      ? { traceId }
      : { ...(question !== "" && { question }), answer, ...(hasContext && { context: context.filter(isText) }) }),
    ...(isCompared && expected.length > 0 && { expected }),
  };
}

const isText = (text: string) => text !== "";
