// Finds question and answer in a trace by the same rules as judges.

import { parseJson } from "../api/exact-json.ts";
import type { Schemas } from "../api/request.ts";

type Step = Schemas["TraceStep"];

/** Finds the answer: the last response, else the root step's output, else the last output of a model. */
export function findAnswer(steps: readonly Step[]): string | undefined {
  const response = steps.findLast(({ type, content }) => type === "response" && content != null);
  const root = steps.find(({ parentId }) => parentId == null);
  const model = steps.findLast(({ type, status, output }) => type === "llm" && status === "success" && output != null);
  const found = response?.content ?? root?.output ?? model?.output;
  return found === undefined ? undefined : unwrapped(found);
}

/** Finds the question: the first request with content. */
export function findQuestion(steps: readonly Step[]): string | undefined {
  const found = steps.find(({ type, content }) => type === "request" && content != null && content !== "")?.content;
  return found === undefined ? undefined : unwrapped(found);
}

/** Returns the text in `{"message": text}`, the form in which the API returns text that is not JSON. */
function unwrapped(text: string): string {
  const value = parsed(text);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return typeof value === "string" ? value : text;
  const entries = Object.entries(value);
  const [first] = entries;
  return entries.length === 1 && first?.[0] === "message" && typeof first[1] === "string" ? first[1] : text;
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
