import { expect, test } from "vitest";
import type { Step } from "../traces/trace-requests.ts";
import { getConversation } from "./conversation.ts";

const steps = (...all: Partial<Step>[]) => all as Step[];

test.each([
  ["no steps", [], undefined, undefined],
  [
    "request and response take precedence over steps in between",
    steps(
      { type: "llm", input: "prompt", output: "draft" },
      { type: "request", content: "question" },
      { type: "response", content: "first" },
      { type: "response", content: "last" },
      { type: "tool", output: "ignored" },
    ),
    "question",
    "last",
  ],
  [
    "else the first input and the last output",
    steps({ type: "agent", input: "question", output: "" }, { type: "llm", input: "later", output: "answer" }),
    "question",
    "answer",
  ],
] as const)("%s", (_name, all, question, answer) => {
  expect(getConversation(all)).toEqual({ question, answer });
});
