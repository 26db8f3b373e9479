import { create } from "@bufbuild/protobuf";
import { assertPageFits } from "@ems/kit/answer-size";
import { pagination, parsePage } from "@ems/kit/db/page";
import { notFound } from "@ems/kit/errors";
import { definedFields } from "@ems/kit/patch";
import type { Handlers } from "@ems/kit/rpc/service";
import type { JudgeDefinition } from "@ems/proto/catalog/v1/eval_definition";
import type { TestPlan } from "@ems/proto/catalog/v1/test_plan_service";
import {
  type ExperimentService,
  GetExperimentTaskSetResponseSchema,
} from "@ems/proto/experiments/v1/experiment_service";
import type { Deps } from "../../deps.ts";
import { experimentById, taskSet } from "../experiments/index.ts";
import { type DefinitionRow, frozenDefinition, frozenPlan, type PlanRow } from "./read.ts";

type Handler = Handlers<typeof ExperimentService>["getExperimentTaskSet"];

const pageText = `SELECT t.plan FROM experiments.task_set_task t
  WHERE t.application_id = $1 AND t.task_set_id = $2 ORDER BY t.position OFFSET $3 LIMIT $4`;
const definitionsText = `SELECT d.definition FROM experiments.task_set_definition d
  WHERE d.application_id = $1 AND d.task_set_id = $2 AND d.definition_id = ANY ($3::uuid[])`;

/** Lists the frozen tasks of an experiment. */
export function getExperimentTaskSet({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const { taskSet: summary } = await experimentById.read(database, call, request.id);
    if (summary === null) throw notFound("Task set");
    const page = parsePage(request, { columns: { id: "id" } });
    const values = [call.tenant.applicationId, summary.id];
    const pageValues = [...values, String(page.skip), page.limit];
    const rows = await database.read<PlanRow>(call, { name: "frozen-page", text: pageText, values: pageValues });
    const plans = rows.map(frozenPlan);
    const ids = [...new Set(plans.flatMap(({ definitions }) => definitions.map(({ id }) => id)))];
    const frozen = { name: "frozen-definitions", text: definitionsText, values: [...values, ids] };
    const definitions = ids.length === 0 ? [] : await database.read<DefinitionRow>(call, frozen);
    const byId = new Map(definitions.map(frozenDefinition).map((definition) => [definition.id, definition]));
    const answer = create(GetExperimentTaskSetResponseSchema, {
      taskSet: taskSet(summary),
      data: plans.map((plan) => taskSetTask(plan, byId)),
      pagination: pagination(page, summary.tasks),
    });
    assertPageFits(GetExperimentTaskSetResponseSchema, answer);
    return answer;
  };
}

function taskSetTask(
  { $typeName: _, isArchived: _wasArchived, definitions, examples, ...plan }: TestPlan,
  definitionsById: ReadonlyMap<string, JudgeDefinition>,
) {
  const details = new Map(examples.map((example) => [example.position, example]));
  return {
    ...plan,
    examples: plan.inputExamples.map((input, position) => {
      const { expected, metadata } = details.get(position) ?? {};
      return { input, ...definedFields({ expected, metadata }) };
    }),
    definitions: definitions.map(({ id, type, expected }) => {
      const { version = 0, name = "", globalConfig } = definitionsById.get(id) ?? {};
      return { id, type, version, name, ...definedFields({ globalConfig, expected }) };
    }),
  };
}
