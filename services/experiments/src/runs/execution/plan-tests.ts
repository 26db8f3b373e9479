// Plans the tests of a run from catalog's plans of its tasks. Pure.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { enumName } from "@ems/kit/enum";
import type { NewId } from "@ems/kit/id";
import { fromValue } from "@ems/kit/json/free-value";
import {
  type EvalDefinitionType as DefinitionType,
  EvalDefinitionTypeSchema,
} from "@ems/proto/catalog/v1/eval_definition";
import { TaskType } from "@ems/proto/catalog/v1/task_service";
import type { TestPlan } from "@ems/proto/catalog/v1/test_plan_service";
import type { EvaluationRow } from "@ems/results";
import type { PlannedDefinition } from "./entity.ts";
import type { PlannedTest } from "./insert-planned-tests.ts";

export interface PlanOptions {
  readonly repeat: number;
  readonly simulate: boolean;
  /** Types of the definitions chosen for the run, by id; if empty, the linked definitions are used. */
  readonly definitions: ReadonlyMap<string, DefinitionType>;
}

export interface TestOfTask extends PlannedTest {
  /** The task's metadata. */
  readonly metadata: JsonObject | undefined;
}

/** Returns the number of tests that the plans result in. */
export function countTests(plans: readonly TestPlan[], { repeat, simulate }: PlanOptions): number {
  return plans.reduce((sum, plan) => sum + listPrompts(plan, simulate).length * repeat, 0);
}

export function planTests(plans: readonly TestPlan[], options: PlanOptions, newId: NewId): TestOfTask[] {
  return plans.flatMap((plan) => {
    const definitions = plannedDefinitions(plan, options.definitions);
    return listPrompts(plan, options.simulate).flatMap((prompt) =>
      Array.from({ length: options.repeat }, () => ({
        id: newId(),
        taskId: plan.taskId,
        topicId: plan.topicId ?? null,
        prompt,
        definitions,
        metadata: plan.metadata,
      })),
    );
  });
}

/** Returns the prompts of a task; null stands for a prompt that a simulated user will write. */
function listPrompts({ type, inputExamples, description }: TestPlan, simulate: boolean): (string | null)[] {
  if (type === TaskType.STATIC) return inputExamples;
  if (simulate) return [null];
  return inputExamples.length > 0 ? inputExamples : [description];
}

/** Returns the definitions chosen for the run, or else those linked to the task, its topic or the application. */
export function plannedDefinitions(
  plan: TestPlan,
  chosen: PlanOptions["definitions"] = new Map(),
): PlannedDefinition[] {
  const linked = new Map(plan.definitions.map(({ id, type, expected }) => [id, { type, expected }]));
  const all = chosen.size === 0 ? [...linked].map(([id, { type }]) => [id, type] as const) : [...chosen];
  return all.map(([id, type]) => {
    const expected = linked.get(id)?.expected;
    return {
      id,
      type: enumName<EvaluationRow["definitionType"]>(EvalDefinitionTypeSchema, type),
      expected: expected === undefined ? null : (fromValue(expected) as JsonValue),
    };
  });
}
