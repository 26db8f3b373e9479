import { Code, ConnectError } from "@connectrpc/connect";
import { createTenantContext } from "@ems/kit/rpc/call";
import type { Tenant } from "@ems/kit/tenant";
import type { TestPlan } from "@ems/proto/catalog/v1/test_plan_service";
import type { CompletedTrace } from "@ems/proto/traces/v1/trace_work_service";
import type { Deps } from "../../deps.ts";

const timeoutMs = 5_000;

/**
 * Returns the plan of a trace's task: the task that the trace names, else the DEDUCED task of the topic that it names,
 * else the application's DEDUCED task. Ignores ids that do not exist.
 */
export async function findPlan(
  { plans }: Pick<Deps, "plans">,
  tenant: Tenant,
  { taskId, topicId }: Pick<CompletedTrace, "taskId" | "topicId">,
): Promise<TestPlan | undefined> {
  const options = () => ({ contextValues: createTenantContext(tenant), timeoutMs });
  const readPlan = async (taskId: string) => (await plans.getTestPlans({ taskIds: [taskId] }, options())).plans[0];
  const own = taskId === undefined ? undefined : await readPlan(taskId);
  if (own !== undefined) return own;
  const deduced = topicId === undefined ? undefined : await optional(plans.ensureDeducedTask({ topicId }, options()));
  const task = deduced ?? (await plans.ensureDeducedTask({}, options()));
  return readPlan(task.taskId);
}

/** Awaits the answer; returns undefined for a "not found" error. */
async function optional<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ConnectError && error.code === Code.NotFound) return undefined;
    throw error;
  }
}
