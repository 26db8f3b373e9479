import type { Call } from "@ems/kit/rpc/call";
import type { TestPlan } from "@ems/proto/catalog/v1/test_plan_service";
import type { Deps } from "../../deps.ts";
import { readFrozenPlan } from "../../experiments/task-sets/index.ts";
import type { TestRow } from "../tests/index.ts";
import { readPlans } from "./read-plans.ts";

/** Returns a test's task: for experiments the frozen one, otherwise the current one. */
export async function planOfTest(
  deps: Pick<Deps, "database" | "plans">,
  call: Call,
  { id, taskId, runType }: Pick<TestRow, "id" | "taskId" | "runType">,
): Promise<TestPlan | undefined> {
  const frozen = runType === "EXPERIMENT" ? await readFrozenPlan(deps.database, call, id) : undefined;
  return frozen ?? (await readPlans(deps, call, [taskId])).get(taskId);
}
