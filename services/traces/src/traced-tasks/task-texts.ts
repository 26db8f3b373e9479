// Pure: builds the texts of a task that is created from a trace.

import { type CreateTaskFromTraceRequest, TraceAnswer } from "@ems/proto/experiments/v1/trace_service";
import { truncateMiddle } from "@ems/traces-client";

/** Maximum number of characters of a prompt, of a link's expected answer, and of a note. */
const textLengthMax = 10_000;
const titleLengthMax = 100;

interface TraceTexts {
  readonly id: string;
  readonly timestamp: Date;
  /** The user's question; absent if the trace has none. */
  readonly question?: string;
  readonly output?: string | undefined;
}

export interface TaskTexts {
  readonly title: string;
  readonly description: string;
  readonly prompt: string;
  readonly expected?: string;
}

/** Returns the texts of the task, or the reason why the trace has none. */
export function taskTexts(
  { title, description, answer }: Pick<CreateTaskFromTraceRequest, "title" | "description" | "answer">,
  { id, timestamp, question: prompt = "", output = "" }: TraceTexts,
): TaskTexts | { readonly refusal: string } {
  const refusal =
    findError("request", "a prompt", prompt) ??
    (answer === TraceAnswer.EXPECTED ? findError("answer", "an expectation", output) : undefined) ??
    (answer === TraceAnswer.NOTE && output === "" ? missing("answer") : undefined);
  if (refusal !== undefined) return { refusal };
  const about = description ?? `Created from trace ${id} of ${timestamp.toISOString()}.`;
  const isNoted = answer === TraceAnswer.NOTE || (answer === undefined && description === undefined && output !== "");
  return {
    title: title ?? toTitle(prompt),
    description: isNoted ? `${about}\n\nThe application answered:\n\n${truncateMiddle(output, textLengthMax)}` : about,
    prompt,
    ...(answer === TraceAnswer.EXPECTED && { expected: output }),
  };
}

function findError(part: string, use: string, text: string): string | undefined {
  if (text === "") return missing(part);
  const { length } = [...text];
  if (length <= textLengthMax) return undefined;
  return `The ${part} of the trace is too long for ${use}: at most ${textLengthMax.toLocaleString("en")} characters`;
}

function missing(part: string): string {
  return part === "request"
    ? "The trace has no request: neither a step of type request, nor an input of its root or of a model call"
    : "The trace has no answer: neither a step of type response, nor an output of its root or of a model call";
}

function toTitle(prompt: string): string {
  const line = prompt.trim().split("\n", 1)[0]?.trim() ?? "";
  const characters = [...line];
  return characters.length <= titleLengthMax ? line : `${characters.slice(0, titleLengthMax - 1).join("")}…`;
}
