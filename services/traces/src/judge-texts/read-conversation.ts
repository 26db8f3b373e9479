import type { Statement } from "@ems/kit/db/database";
import { definedFields } from "@ems/kit/patch";
import { traceStepsMax } from "@ems/proto/limits";
import { truncateMiddle } from "@ems/traces-client";
import type { Deps } from "../deps.ts";
import { parsePaths } from "../trace-paths/index.ts";
import type { ReadConversation } from "../traces/index.ts";
import { readOwnTexts } from "./own-texts.ts";
import {
  type Candidate,
  selectGivenOutputs,
  selectGivenQuestions,
  selectOutputs,
  selectQuestions,
} from "./statements.ts";
import { chooseText, readAnswer, readQuestion } from "./texts.ts";

export const outputLengthMax = 200_000;
export const questionLengthMax = 50_000;

/** Reads the question and the answer of a trace as judges do, for people. */
export function readConversation({ stores, arrivalRules }: Pick<Deps, "stores" | "arrivalRules">): ReadConversation {
  const choose = async (call: Parameters<ReadConversation>[0], statements: readonly [Statement, Statement]) => {
    const [questions, outputs] = await stores.database.readAll(call, statements);
    // Safe cast: the column types match the statements.
    return {
      question: chooseText(questions as Candidate[], readQuestion),
      answer: chooseText(outputs as Candidate[], readAnswer),
    };
  };
  return async (call, { id, createdAt, archivedSteps }) => {
    if (archivedSteps !== undefined) {
      const steps = JSON.stringify(
        archivedSteps.map(({ parentId, ...step }, position) => ({ ...step, parent_id: parentId, position })),
      );
      return shorten(await choose(call, [selectGivenQuestions(steps), selectGivenOutputs(steps)]));
    }
    const { question, answer } = parsePaths((await arrivalRules.of(call)).paths);
    const { applicationId } = call.tenant;
    const trace = { id, createdAt, steps: traceStepsMax };
    const [own, found] = await Promise.all([
      readOwnTexts(stores, call, trace, definedFields({ question, answer })),
      choose(call, [selectQuestions(applicationId, trace), selectOutputs(applicationId, trace)]),
    ]);
    return shorten({ ...found, ...own });
  };
}

function shorten({ question, answer }: { question?: string | undefined; answer?: string | undefined }) {
  return definedFields({
    question: question === undefined ? undefined : truncateMiddle(question, questionLengthMax),
    answer: answer === undefined ? undefined : truncateMiddle(answer, outputLengthMax),
  });
}
