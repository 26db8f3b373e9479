import { ConnectError, getReason } from "@ems/kit/errors";
import { type Call, forward } from "@ems/kit/rpc/call";
import type { TestPlan } from "@ems/proto/catalog/v1/test_plan_service";
import type { Deps } from "../../deps.ts";

const chunkSize = 20;
const concurrency = 4;

/** Reads the plans of tasks by id and omits unknown ids. `check` is called with each plan and may throw to stop. */
export async function readPlans(
  { plans }: Pick<Deps, "plans">,
  call: Call,
  taskIds: readonly string[],
  check: (plan: TestPlan) => void = () => undefined,
): Promise<ReadonlyMap<string, TestPlan>> {
  const chunks = Array.from({ length: Math.ceil(taskIds.length / chunkSize) }, (_, index) =>
    taskIds.slice(index * chunkSize, (index + 1) * chunkSize),
  );
  const found = new Map<string, TestPlan>();
  const work = async () => {
    for (let chunk = chunks.shift(); chunk !== undefined; chunk = chunks.shift()) {
      for (const plan of await readChunk({ plans, check }, call, chunk)) found.set(plan.taskId, plan);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return found;
}

/** Reads some of the plans; splits the request in half if its response would be too large. */
async function readChunk(
  deps: Pick<Deps, "plans"> & { readonly check: (plan: TestPlan) => void },
  call: Call,
  taskIds: readonly string[],
): Promise<TestPlan[]> {
  try {
    const { plans } = await deps.plans.getTestPlans({ taskIds: [...taskIds] }, forward(call));
    for (const plan of plans) deps.check(plan);
    return plans;
  } catch (error) {
    const isTooLarge = error instanceof ConnectError && getReason(error) === "ANSWER_TOO_LARGE";
    if (!isTooLarge || taskIds.length === 1) throw error;
    const middle = Math.ceil(taskIds.length / 2);
    const first = await readChunk(deps, call, taskIds.slice(0, middle));
    return [...first, ...(await readChunk(deps, call, taskIds.slice(middle)))];
  }
}
