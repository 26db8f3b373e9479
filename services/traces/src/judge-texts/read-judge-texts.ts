import type { Call } from "@ems/kit/rpc/call";
import { traceStepsMax } from "@ems/proto/limits";
import { truncateMiddle } from "@ems/traces-client";
import type { Deps } from "../deps.ts";
import { parsePaths } from "../trace-paths/index.ts";
import { type ArchivedTrace, findTrace, type StoredTrace } from "../traces/index.ts";
import { readOwnTexts } from "./own-texts.ts";
import { outputLengthMax, questionLengthMax } from "./read-conversation.ts";
import { type Candidate, type RetrieverResult, selectContext, selectOutputs, selectQuestions } from "./statements.ts";
import { chooseText, readAnswer, readQuestion } from "./texts.ts";

interface Request {
  /** Current or earlier id of the trace. */
  readonly traceId: string;
  /** Number of first steps to read, for example those that existed when the trace closed its test; default: all. */
  readonly steps?: number;
  /** False if the question is known from a prompt, so that the trace is not read for it. */
  readonly needsQuestion: boolean;
}

/** A trace with its texts for a judge, each of limited length. */
export interface JudgedTrace extends StoredTrace {
  /** The user's question; undefined if absent or not needed. */
  readonly question?: string;
  /** The answer; undefined if absent. */
  readonly output?: string;
  /** Retrieved texts, in the order of their steps. */
  readonly context: readonly string[];
  readonly hasRetriever: boolean;
}

/** Reads the texts of a trace for a judge. For an archived trace returns only id and time; undefined if unknown. */
export async function readJudgeTexts(
  { stores, arrivalRules }: Pick<Deps, "stores" | "arrivalRules">,
  call: Call,
  { traceId, steps = traceStepsMax, needsQuestion }: Request,
): Promise<JudgedTrace | ArchivedTrace | undefined> {
  const found = await findTrace(stores, call, traceId);
  if (found?.state !== "stored") return found;
  const { applicationId } = call.tenant;
  const trace = { id: found.id, createdAt: found.createdAt, steps };
  const { question: questionPath, ...paths } = parsePaths((await arrivalRules.of(call)).paths);
  const own = await readOwnTexts(stores, call, trace, {
    ...paths,
    ...(needsQuestion && questionPath !== undefined && { question: questionPath }),
  });
  const statements = [
    selectOutputs(applicationId, trace),
    selectContext(applicationId, trace),
    ...(needsQuestion ? [selectQuestions(applicationId, trace)] : []),
  ];
  const [outputs, results, questions = []] = await stores.database.readAll(call, statements);
  // Safe cast: the column types match the statements.
  const output = own.answer ?? chooseText(outputs as Candidate[], readAnswer);
  const question = own.question ?? chooseText(questions as Candidate[], readQuestion);
  return {
    ...found,
    ...(question !== undefined && { question: truncateMiddle(question, questionLengthMax) }),
    ...(output !== undefined && { output: truncateMiddle(output, outputLengthMax) }),
    ...(own.context ?? contextIn(results as RetrieverResult[])),
  };
}

function contextIn(results: readonly RetrieverResult[]) {
  const context = results.flatMap(({ text }) => (text === null || text.trim() === "" ? [] : text));
  const omitted = (results[0]?.total ?? 0) - results.length;
  if (omitted > 0) context.push(`[... ${omitted} results left out ...]`);
  return { context, hasRetriever: results.length > 0 };
}
