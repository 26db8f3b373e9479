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
import type { PlannedExample, TestPlan } from "@ems/proto/catalog/v1/test_plan_service";
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
  /** The task's metadata, with that of the example. */
  readonly metadata: JsonObject | undefined;
}

/** Returns the number of tests that the plans result in. */
export function countTests(plans: readonly TestPlan[], { repeat, simulate }: PlanOptions): number {
  return plans.reduce((sum, plan) => sum + listPrompts(plan, simulate).length * repeat, 0);
}

export function planTests(plans: readonly TestPlan[], options: PlanOptions, newId: NewId): TestOfTask[] {
  return plans.flatMap((plan) => {
    const linked = plannedDefinitions(plan, options.definitions);
    return listPrompts(plan, options.simulate).flatMap(({ prompt, example }) => {
      const definitions = expecting(linked, example);
      const metadata = example?.metadata === undefined ? plan.metadata : { ...plan.metadata, ...example.metadata };
      return Array.from({ length: options.repeat }, () => ({
        id: newId(),
        taskId: plan.taskId,
        topicId: plan.topicId ?? null,
        prompt,
        definitions,
        metadata,
      }));
    });
  });
}

/** Returns the size of the expected answers of all tests, each of which has its own copy. */
export function countExpectedBytes(plan: TestPlan, options: PlanOptions): number {
  const linked = plannedDefinitions(plan, options.definitions);
  const ofLinks = expectedBytes(linked);
  const perRepeat = listPrompts(plan, options.simulate).reduce(
    (sum, { example }) => sum + (example?.expected === undefined ? ofLinks : expectedBytes(expecting(linked, example))),
    0,
  );
  return perRepeat * options.repeat;
}

function expectedBytes(definitions: readonly PlannedDefinition[]): number {
  return definitions.reduce((sum, { expected }) => sum + Buffer.byteLength(JSON.stringify(expected)), 0);
}

/** A prompt of a task, and its example if that has an expected answer or metadata. */
interface PlannedPrompt {
  /** The prompt; null stands for one that a simulated user will write. */
  readonly prompt: string | null;
  readonly example?: PlannedExample | undefined;
}

function listPrompts({ type, inputExamples, description, examples }: TestPlan, simulate: boolean): PlannedPrompt[] {
  if (type !== TaskType.STATIC && simulate) return [{ prompt: null }];
  if (type !== TaskType.STATIC && inputExamples.length === 0) return [{ prompt: description }];
  const details = new Map(examples.map((example) => [example.position, example]));
  return inputExamples.map((prompt, position) => ({ prompt, example: details.get(position) }));
}

/** Returns the definitions with the expected answer of the example, which takes precedence over those of links. */
function expecting(
  definitions: readonly PlannedDefinition[],
  example: PlannedExample | undefined,
): PlannedDefinition[] {
  if (example?.expected === undefined) return [...definitions];
  const expected = fromValue(example.expected) as JsonValue;
  return definitions.map((definition) => ({ ...definition, expected }));
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
