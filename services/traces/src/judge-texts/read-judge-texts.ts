import type { Stores } from "@ems/archive";
import type { Call } from "@ems/kit/rpc/call";
import { traceStepsMax } from "@ems/proto/limits";
import { truncateMiddle } from "@ems/traces-client";
import { type ArchivedTrace, findTrace, type StoredTrace } from "../traces/index.ts";
import { type Candidate, contextOf, outputsOf, questionsOf, type RetrieverResult } from "./statements.ts";
import { answerIn, questionIn } from "./texts.ts";

const outputLengthMax = 200_000;
const questionLengthMax = 50_000;

interface Request {
  /** Of whichever kind. */
  readonly traceId: string;
  /** How many of its first steps count, such as those that it had when it closed its test; by default all. */
  readonly steps?: number;
  /** Where a prompt says what was asked, the trace is not read for it. */
  readonly needsQuestion: boolean;
}

/** A trace with the texts that a judge reads of it, each of limited length. */
export interface JudgedTrace extends StoredTrace {
  /** What was asked; undefined when nothing says it, or when it was not needed. */
  readonly question?: string;
  /** The answer; undefined when nothing says it. */
  readonly output?: string;
  /** What retrievers found, in the order of their steps. */
  readonly context: readonly string[];
  readonly hasRetriever: boolean;
}

/** Reads what judges read of a trace; what only the archive has is named as such, and an unknown trace is undefined. */
export async function readJudgeTexts(
  stores: Pick<Stores, "database">,
  call: Call,
  { traceId, steps = traceStepsMax, needsQuestion }: Request,
): Promise<JudgedTrace | ArchivedTrace | undefined> {
  const found = await findTrace(stores, call, traceId);
  if (found?.state !== "stored") return found;
  const { applicationId } = call.tenant;
  const trace = { id: found.id, createdAt: found.createdAt, steps };
  const statements = [
    outputsOf(applicationId, trace),
    contextOf(applicationId, trace),
    ...(needsQuestion ? [questionsOf(applicationId, trace)] : []),
  ];
  const [outputs, results, questions = []] = await stores.database.readAll(call, statements);
  // The columns are what the statements say.
  const output = firstOf(outputs as Candidate[], answerIn);
  const question = firstOf(questions as Candidate[], questionIn);
  return {
    ...found,
    ...(question !== undefined && { question: truncateMiddle(question, questionLengthMax) }),
    ...(output !== undefined && { output: truncateMiddle(output, outputLengthMax) }),
    ...contextIn(results as RetrieverResult[]),
  };
}

function firstOf(candidates: readonly Candidate[], read: (stored: string) => string | undefined): string | undefined {
  for (const candidate of candidates) {
    const text = read(candidate.text);
    if (text !== undefined) return text;
  }
  return undefined;
}

function contextIn(results: readonly RetrieverResult[]) {
  const context = results.flatMap(({ text }) => (text === null || text.trim() === "" ? [] : text));
  const omitted = (results[0]?.total ?? 0) - results.length;
  if (omitted > 0) context.push(`[... ${omitted} results left out ...]`);
  return { context, hasRetriever: results.length > 0 };
}
