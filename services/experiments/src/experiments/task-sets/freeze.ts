import { createHash } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { messageToJson } from "@ems/kit/codec";
import type { Transaction } from "@ems/kit/db/transaction";
import { distinctIds } from "@ems/kit/id";
import { type Call, forward } from "@ems/kit/rpc/call";
import { type JudgeDefinition, JudgeDefinitionSchema } from "@ems/proto/catalog/v1/eval_definition";
import { type TestPlan, TestPlanSchema } from "@ems/proto/catalog/v1/test_plan_service";
import type { Deps } from "../../deps.ts";
import { ExperimentEntity, type TaskSetSummary } from "../experiments/index.ts";
import { TaskSetDefinitionEntity, TaskSetTaskEntity } from "./entity.ts";

/** Frozen tasks and definitions of an experiment. */
export interface TaskSetContent {
  readonly plans: readonly TestPlan[];
  readonly definitions: readonly JudgeDefinition[];
}

/** Maximum number of definitions per call to catalog. */
const definitionsMax = 50;

/** Reads the current definitions of the plans. Call it before the transaction. */
export async function readDefinitions(
  { plans: catalog }: Pick<Deps, "plans">,
  call: Call,
  plans: readonly TestPlan[],
): Promise<JudgeDefinition[]> {
  const ids = distinctIds(plans.flatMap(({ definitions }) => definitions.map(({ id }) => id))).sort();
  const found: JudgeDefinition[] = [];
  for (let at = 0; at < ids.length; at += definitionsMax) {
    const request = { ids: ids.slice(at, at + definitionsMax) };
    found.push(...(await catalog.batchGetJudgeDefinitions(request, forward(call))).definitions);
  }
  return found.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Freezes the tasks of a locked experiment. Uses `tx.defer`. */
export async function freezeTaskSet(
  { clock, newId }: Pick<Deps, "clock" | "newId">,
  tx: Transaction,
  { tenant: { applicationId } }: Call,
  experimentId: string,
  content: TaskSetContent,
): Promise<void> {
  const [id, createdAt] = [newId(), clock.now()];
  // Safe cast: the JSON of a message is an object.
  const plans = content.plans.map((plan) => messageToJson(TestPlanSchema, plan) as JsonObject);
  const definitions = content.definitions.map((each) => messageToJson(JudgeDefinitionSchema, each) as JsonObject);
  const hash = createHash("sha256")
    .update(JSON.stringify([plans, definitions]))
    .digest("hex");
  const taskSet: TaskSetSummary = { id, hash, tasks: plans.length, createdAt: createdAt.toISOString() };
  const key = { applicationId, taskSetId: id };
  await tx.insert(
    TaskSetTaskEntity,
    plans.map((plan, position) => ({ ...key, position, taskId: content.plans[position]?.taskId ?? "", plan })),
  );
  await tx.insert(
    TaskSetDefinitionEntity,
    definitions.map((definition, at) => ({ ...key, definitionId: content.definitions[at]?.id ?? "", definition })),
  );
  tx.deferUpdate(ExperimentEntity, { applicationId, id: experimentId }, { taskSet });
}
