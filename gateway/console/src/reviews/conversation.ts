// Finds question and answer in a trace, to show them to reviewers.

import type { Step } from "../traces/trace-requests.ts";

export interface Conversation {
  readonly question: string | undefined;
  readonly answer: string | undefined;
}

const isText = (text: string | null | undefined): text is string => typeof text === "string" && text !== "";

/** Returns the first request and the last response; if a trace lacks them, the first input and the last output. */
export function getConversation(steps: readonly Step[]): Conversation {
  const contents = (type: string) => steps.filter((step) => step.type === type).map(({ content }) => content);
  return {
    question: contents("request").find(isText) ?? steps.map(({ input }) => input).find(isText),
    answer: contents("response").findLast(isText) ?? steps.map(({ output }) => output).findLast(isText),
  };
}
