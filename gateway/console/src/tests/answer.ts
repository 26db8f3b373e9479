// The question and the application's answer in a trace, as judges find them.

import type { Schemas } from "../api/request.ts";

type Step = Schemas["TraceStep"];

/** The last response, else the root's output, else the last model's. */
export function answerOf(steps: readonly Step[]): string | undefined {
  const response = steps.findLast(({ type, content }) => type === "response" && content != null);
  const root = steps.find(({ parentId }) => parentId == null);
  const model = steps.findLast(({ type, status, output }) => type === "llm" && status === "success" && output != null);
  const found = response?.content ?? root?.output ?? model?.output;
  return found === undefined ? undefined : unwrapped(found);
}

/** What was asked, by the first request. */
export function questionOf(steps: readonly Step[]): string | undefined {
  const found = steps.find(({ type, content }) => type === "request" && content != null && content !== "")?.content;
  return found === undefined ? undefined : unwrapped(found);
}

/** Text that is no JSON comes back as `{"message": text}`. */
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
    return JSON.parse(text);
  } catch {
    return text;
  }
}
