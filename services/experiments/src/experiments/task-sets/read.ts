import type { JsonObject } from "@bufbuild/protobuf";
import { messageFromJson } from "@ems/kit/codec";
import type { Database, Statement } from "@ems/kit/db/database";
import type { Call } from "@ems/kit/rpc/call";
import { type JudgeDefinition, JudgeDefinitionSchema } from "@ems/proto/catalog/v1/eval_definition";
import { type TestPlan, TestPlanSchema } from "@ems/proto/catalog/v1/test_plan_service";

const allTasks = `SELECT t.plan FROM experiments.task_set_task t
  WHERE t.application_id = $1 AND t.task_set_id = $2 ORDER BY t.position`;

/** Selects the task set of test `$2`'s experiment; null for a test outside experiments. */
const setOfTest = `SELECT (e.task_set ->> 'id')::uuid FROM experiments.test s
  JOIN experiments.run r ON r.application_id = s.application_id AND r.id = s.run_id
  JOIN experiments.experiment_variant v ON v.application_id = r.application_id AND v.id = r.experiment_variant_id
  JOIN experiments.experiment e ON e.application_id = v.application_id AND e.id = v.experiment_id
  WHERE s.application_id = $1 AND s.id = $2 AND s.run_type = 'EXPERIMENT'`;
const taskOfTest = `SELECT t.plan FROM experiments.task_set_task t
  WHERE t.application_id = $1 AND t.task_set_id = (${setOfTest})
    AND t.task_id = (SELECT s.task_id FROM experiments.test s WHERE s.application_id = $1 AND s.id = $2)`;
const definitionsOfTest = `SELECT d.definition FROM experiments.task_set_definition d
  WHERE d.application_id = $1 AND d.task_set_id = (${setOfTest}) AND d.definition_id = ANY ($3::uuid[])`;

/** Reads all tasks of a frozen set, in order. */
export async function frozenPlans(database: Database, call: Call, taskSetId: string): Promise<TestPlan[]> {
  const values = [call.tenant.applicationId, taskSetId];
  const rows = await database.read<PlanRow>(call, { name: "frozen-tasks", text: allTasks, values });
  return rows.map(frozenPlan);
}

/** Reads the frozen task of a test in an experiment; undefined for other tests. */
export async function readFrozenPlan(database: Database, call: Call, testId: string): Promise<TestPlan | undefined> {
  const values = [call.tenant.applicationId, testId];
  const [row] = await database.read<PlanRow>(call, { name: "frozen-task-of-test", text: taskOfTest, values });
  return row && frozenPlan(row);
}

export interface PlanRow {
  readonly plan: JsonObject;
}

export function frozenPlan({ plan }: PlanRow): TestPlan {
  return messageFromJson(TestPlanSchema, plan);
}

export interface DefinitionRow {
  readonly definition: JsonObject;
}

/** Builds the statement that selects, from `ids`, the frozen definitions of a test in an experiment. */
export function selectFrozenDefinitions(applicationId: string, testId: string, ids: readonly string[]): Statement {
  return { name: "frozen-definitions-of-test", text: definitionsOfTest, values: [applicationId, testId, ids] };
}

export function frozenDefinition({ definition }: DefinitionRow): JudgeDefinition {
  return messageFromJson(JudgeDefinitionSchema, definition);
}
