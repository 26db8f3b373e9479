// What a judge is told was asked and answered, by the test's prompt and its trace. Pure.

import type { JsonValue } from "@bufbuild/protobuf";
import { type JudgedTrace, truncateMiddle } from "../../traces/judge-texts/index.ts";

const promptLengthMax = 50_000;

type Texts = Pick<JudgedTrace, "question" | "output" | "context" | "hasRetriever">;

/** Of a test without a trace. */
const nothing: Texts = { context: [], hasRetriever: false };

/** The texts that a judge reads. Live traffic has no prompt: the trace says what was asked. */
export function inputOf(prompt: JsonValue, { question = "", output, context, hasRetriever }: Texts = nothing) {
  return {
    question: prompt === null ? question : truncateMiddle(textOf(prompt), promptLengthMax),
    ...(output !== undefined && { output }),
    context: [...context],
    hasRetriever,
  };
}

function textOf(prompt: JsonValue): string {
  return typeof prompt === "string" ? prompt : JSON.stringify(prompt);
}
