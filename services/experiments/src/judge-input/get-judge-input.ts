import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { notFound } from "@ems/kit/errors";
import { distinctIds } from "@ems/kit/id";
import { forward } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import type { Deps } from "../deps.ts";
import { type Candidate, contextOf, outputsOf, questionsOf, type RetrieverResult } from "./statements.ts";
import { answerIn, questionIn, truncateMiddle } from "./texts.ts";

type Handler = Handlers<typeof ExecutionService>["getJudgeInput"];

const outputLengthMax = 200_000;
const questionLengthMax = 50_000;

interface JudgedTest {
  readonly prompt: JsonValue;
}

interface OpenEvaluation {
  readonly id: string;
  readonly definitionId: string;
  readonly expected: JsonValue;
}

const testText = "SELECT prompt FROM experiments.test WHERE application_id = $1 AND id = $2";
const openText = `SELECT id, definition_id AS "definitionId", expected FROM experiments.evaluation
  WHERE application_id = $1 AND test_id = $2 AND id = ANY ($3::uuid[]) AND status IN ('PENDING', 'IN_PROGRESS')
    AND replaced_by IS NULL`;

/** What the application was asked, answered and looked up, and what is to be judged of it: all of one snapshot. */
export function getJudgeInput({ database, plans }: Pick<Deps, "database" | "plans">): Handler {
  return async ({ testId, evaluationIds }, call) => {
    const { applicationId } = call.tenant;
    const [tests, open, outputs, questions, results] = await database.readAll(call, [
      { name: "judged-test", text: testText, values: [applicationId, testId] },
      { name: "open-evaluations", text: openText, values: [applicationId, testId, distinctIds(evaluationIds)] },
      outputsOf(applicationId, testId),
      questionsOf(applicationId, testId),
      contextOf(applicationId, testId),
    ]);
    const [test] = tests as JudgedTest[];
    if (test === undefined) throw notFound("Test");
    const evaluations = open as OpenEvaluation[];
    const ids = distinctIds(evaluations.map(({ definitionId }) => definitionId));
    const { definitions } =
      ids.length === 0 ? { definitions: [] } : await plans.batchGetJudgeDefinitions({ ids }, forward(call));
    const definitionOf = new Map(definitions.map((definition) => [definition.id, definition]));
    const output = firstOf(outputs as Candidate[], answerIn);
    const question = test.prompt === null ? firstOf(questions as Candidate[], questionIn) : promptText(test.prompt);
    return {
      question: truncateMiddle(question ?? "", questionLengthMax),
      ...(output !== undefined && { output: truncateMiddle(output, outputLengthMax) }),
      ...contextIn(results as RetrieverResult[]),
      evaluations: evaluations.map(({ id, definitionId, expected }) => {
        const definition = definitionOf.get(definitionId);
        return {
          id,
          ...(definition !== undefined && { definition }),
          ...(expected !== null && { expected: fromJson(ValueSchema, expected) }),
        };
      }),
    };
  };
}

function firstOf(candidates: readonly Candidate[], read: (stored: string) => string | undefined): string | undefined {
  for (const candidate of candidates) {
    const text = read(candidate.text);
    if (text !== undefined) return text;
  }
  return undefined;
}

function promptText(prompt: JsonValue): string {
  return typeof prompt === "string" ? prompt : JSON.stringify(prompt);
}

function contextIn(results: readonly RetrieverResult[]) {
  const context = results.flatMap(({ text }) => (text === null || text.trim() === "" ? [] : text));
  const omitted = (results[0]?.total ?? 0) - results.length;
  if (omitted > 0) context.push(`[... ${omitted} results left out ...]`);
  return { context, hasRetriever: results.length > 0 };
}
