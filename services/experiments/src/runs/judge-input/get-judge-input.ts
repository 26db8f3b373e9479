import type { JsonValue } from "@bufbuild/protobuf";
import type { Stores } from "@ems/archive";
import { notFound } from "@ems/kit/errors";
import { distinctIds } from "@ems/kit/id";
import { toValue } from "@ems/kit/json/free-value";
import { type Call, forward } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import type { Deps } from "../../deps.ts";
import { type DefinitionRow, frozenDefinition, frozenDefinitionsOf } from "../../experiments/task-sets/index.ts";
import { missingTrace, monthOfTrace } from "../../traces/traces/index.ts";
import {
  type Candidate,
  type ClosedTrace,
  contextOf,
  outputsOf,
  questionsOf,
  type RetrieverResult,
} from "./statements.ts";
import { answerIn, questionIn, truncateMiddle } from "./texts.ts";

type Handler = Handlers<typeof ExecutionService>["getJudgeInput"];

const outputLengthMax = 200_000;
const questionLengthMax = 50_000;

/** A trace, if there is one, and the prompt that it answers, if it answers one. */
export type JudgedTest = { readonly [Key in keyof ClosedTrace]: ClosedTrace[Key] | null } & {
  readonly prompt: JsonValue;
};

interface TestOfJudge {
  readonly taskId: string;
  readonly runType: string;
  /** The trace that closed it. */
  readonly closedBy: string | null;
}

interface OpenEvaluation {
  readonly id: string;
  readonly definitionId: string;
  readonly expected: JsonValue;
  /** Judged anew, by its definition as it is now. */
  readonly isRerun: boolean;
}

const testText = `SELECT e.prompt, e.run_type AS "runType", e.task_id AS "taskId", e.trace_id AS "closedBy",
    t.id AS "traceId", t.created_at AS "createdAt", ${monthOfTrace} AS month, e.trace_steps AS "traceSteps"
  FROM experiments.test e LEFT JOIN LATERAL (SELECT * FROM experiments.trace t
    WHERE t.application_id = $1 AND t.id = e.trace_id LIMIT 1) t ON true
  WHERE e.application_id = $1 AND e.id = $2`;
const openText = `SELECT id, definition_id AS "definitionId", expected, EXISTS (SELECT FROM experiments.evaluation before
    WHERE before.application_id = $1 AND before.test_id = $2 AND before.replaced_by = evaluation.id) AS "isRerun"
  FROM experiments.evaluation
  WHERE application_id = $1 AND test_id = $2 AND id = ANY ($3::uuid[]) AND status IN ('PENDING', 'IN_PROGRESS')
    AND replaced_by IS NULL`;

/** What the application was asked, answered and looked up, and what is to be judged of it. What came later is left out. */
export function getJudgeInput({ stores, plans }: Pick<Deps, "stores" | "plans">): Handler {
  return async ({ testId, evaluationIds }, call) => {
    const { applicationId } = call.tenant;
    const statements = [
      { name: "judged-test", text: testText, values: [applicationId, testId] },
      { name: "open-evaluations", text: openText, values: [applicationId, testId, distinctIds(evaluationIds)] },
    ];
    const [tests, open] = await stores.database.readAll(call, statements);
    const [test] = tests as (JudgedTest & TestOfJudge)[];
    if (test === undefined) throw notFound("Test");
    if (test.traceId === null && test.closedBy !== null && stores.hasArchive)
      throw await missingTrace(stores, call, test.closedBy);
    const input = await readInput(stores, call, test);
    const evaluations = open as OpenEvaluation[];
    const ids = distinctIds(evaluations.map(({ definitionId }) => definitionId));
    const [frozen = []] =
      test.runType === "EXPERIMENT"
        ? await stores.database.readAll(call, [frozenDefinitionsOf(applicationId, testId, ids)])
        : [];
    const { definitions, facts } =
      ids.length === 0
        ? { definitions: [], facts: [] }
        : await plans.batchGetJudgeDefinitions({ ids, taskId: test.taskId }, forward(call));
    const definitionOf = new Map(definitions.map((definition) => [definition.id, definition]));
    const frozenOf = new Map(
      (frozen as DefinitionRow[]).map(frozenDefinition).map((definition) => [definition.id, definition]),
    );
    return {
      ...input,
      facts,
      evaluations: evaluations.map(({ id, definitionId, expected, isRerun }) => {
        const definition = (isRerun ? undefined : frozenOf.get(definitionId)) ?? definitionOf.get(definitionId);
        return {
          id,
          ...(definition !== undefined && { definition }),
          ...(expected !== null && { expected: toValue(expected) }),
        };
      }),
    };
  };
}

/** The texts that a judge reads. */
export async function readInput(stores: Stores, call: Call, test: JudgedTest) {
  const { outputs, questions, results } = await readTrace(stores, call, test);
  const output = firstOf(outputs, answerIn);
  const question = test.prompt === null ? firstOf(questions, questionIn) : promptText(test.prompt);
  return {
    question: truncateMiddle(question ?? "", questionLengthMax),
    ...(output !== undefined && { output: truncateMiddle(output, outputLengthMax) }),
    ...contextIn(results),
  };
}

/** Live traffic has no prompt: the trace says what was asked. */
async function readTrace(stores: Stores, call: Call, { prompt, traceId, createdAt, month, traceSteps }: JudgedTest) {
  if (traceId === null || createdAt === null || month === null || traceSteps === null)
    return { outputs: [], questions: [], results: [] };
  const { applicationId } = call.tenant;
  const trace = { traceId, createdAt, month, traceSteps };
  const statements = [
    outputsOf(applicationId, trace),
    contextOf(applicationId, trace),
    ...(prompt === null ? [questionsOf(applicationId, trace)] : []),
  ];
  const [outputs, results, questions = []] = await stores.database.readAll(call, statements);
  return {
    outputs: outputs as Candidate[],
    questions: questions as Candidate[],
    results: results as RetrieverResult[],
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
