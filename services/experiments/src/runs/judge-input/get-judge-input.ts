import type { JsonValue } from "@bufbuild/protobuf";
import { notFound } from "@ems/kit/errors";
import { distinctIds } from "@ems/kit/id";
import { toValue } from "@ems/kit/json/free-value";
import { type Call, forward } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import type { Deps } from "../../deps.ts";
import { type DefinitionRow, frozenDefinition, selectFrozenDefinitions } from "../../experiments/task-sets/index.ts";
import { buildInput, isStored, missingTexts } from "./build-input.ts";

type Handler = Handlers<typeof ExecutionService>["getJudgeInput"];

interface JudgedTest {
  readonly taskId: string;
  readonly runType: string;
  /** Prompt of the test; null for live traffic. */
  readonly prompt: JsonValue;
  /** Id of the trace that closed the test, and the trace's number of steps at that time. */
  readonly closedBy: string | null;
  readonly traceSteps: number | null;
}

interface OpenEvaluation {
  readonly id: string;
  readonly definitionId: string;
  readonly expected: JsonValue;
  /** True for a rerun, which uses the current definition. */
  readonly isRerun: boolean;
}

const testText = `SELECT e.prompt, e.run_type AS "runType", e.task_id AS "taskId", e.trace_id AS "closedBy",
    e.trace_steps AS "traceSteps"
  FROM experiments.test e WHERE e.application_id = $1 AND e.id = $2`;
const openText = `SELECT id, definition_id AS "definitionId", expected, EXISTS (SELECT FROM experiments.evaluation before
    WHERE before.application_id = $1 AND before.test_id = $2 AND before.replaced_by = evaluation.id) AS "isRerun"
  FROM experiments.evaluation
  WHERE application_id = $1 AND test_id = $2 AND id = ANY ($3::uuid[]) AND status IN ('PENDING', 'IN_PROGRESS')
    AND replaced_by IS NULL`;

/** Returns an evaluation's definition, and its test's prompt, answer and context without steps that arrived later. */
export function getJudgeInput(deps: Pick<Deps, "stores" | "plans" | "traceWork">): Handler {
  const { stores, plans } = deps;
  return async ({ testId, evaluationIds }, call) => {
    const { applicationId } = call.tenant;
    const statements = [
      { name: "judged-test", text: testText, values: [applicationId, testId] },
      { name: "open-evaluations", text: openText, values: [applicationId, testId, distinctIds(evaluationIds)] },
    ];
    const [tests, open] = await stores.database.readAll(call, statements);
    const [test] = tests as JudgedTest[];
    if (test === undefined) throw notFound("Test");
    const input = buildInput(test.prompt, await readTexts(deps, call, test));
    const evaluations = open as OpenEvaluation[];
    const ids = distinctIds(evaluations.map(({ definitionId }) => definitionId));
    const [frozen = []] =
      test.runType === "EXPERIMENT"
        ? await stores.database.readAll(call, [selectFrozenDefinitions(applicationId, testId, ids)])
        : [];
    const { definitions, facts } =
      ids.length === 0
        ? { definitions: [], facts: [] }
        : await plans.batchGetJudgeDefinitions({ ids, taskId: test.taskId }, forward(call));
    const definitionsById = new Map(definitions.map((definition) => [definition.id, definition]));
    const frozenById = new Map(
      (frozen as DefinitionRow[]).map(frozenDefinition).map((definition) => [definition.id, definition]),
    );
    return {
      ...input,
      facts,
      evaluations: evaluations.map(({ id, definitionId, expected, isRerun }) => {
        const definition = (isRerun ? undefined : frozenById.get(definitionId)) ?? definitionsById.get(definitionId);
        return {
          id,
          ...(definition !== undefined && { definition }),
          ...(expected !== null && { expected: toValue(expected) }),
        };
      }),
    };
  };
}

/** Reads the texts of the trace that closed the test, without later steps; undefined if there is no trace. */
async function readTexts(
  { stores, traceWork }: Pick<Deps, "stores" | "traceWork">,
  call: Call,
  { prompt, closedBy, traceSteps }: JudgedTest,
) {
  if (closedBy === null) return undefined;
  const request = { traceId: closedBy, steps: traceSteps ?? 0, needsQuestion: prompt === null };
  const texts = await traceWork.getJudgeTexts(request, forward(call));
  if (isStored(texts)) return traceSteps === null ? undefined : texts;
  if (stores.hasArchive) throw missingTexts(call, texts);
  return undefined;
}
