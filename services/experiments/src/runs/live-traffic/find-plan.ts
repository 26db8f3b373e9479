import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { onBehalfOf } from "@ems/kit/rpc/call";
import type { Tenant } from "@ems/kit/tenant";
import type { TestPlan } from "@ems/proto/catalog/v1/test_plan_service";
import type { Deps } from "../../deps.ts";

const timeoutMs = 5_000;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * The plan of the task that live traffic belongs to: that which the trace names, else the DEDUCED one of the topic that it names,
 * else the application's. What does not exist is as if it were not named.
 */
export async function findPlan(
  { plans }: Pick<Deps, "plans">,
  tenant: Tenant,
  metadata: JsonObject | JsonValue[],
): Promise<TestPlan | undefined> {
  const options = () => ({ contextValues: onBehalfOf(tenant), timeoutMs });
  const planOf = async (taskId: string) => (await plans.getTestPlans({ taskIds: [taskId] }, options())).plans[0];
  const taskId = idIn(metadata, "ems.task.id");
  const own = taskId === undefined ? undefined : await planOf(taskId);
  if (own !== undefined) return own;
  const topicId = idIn(metadata, "ems.topic.id");
  const deduced = topicId === undefined ? undefined : await optional(plans.ensureDeducedTask({ topicId }, options()));
  const task = deduced ?? (await plans.ensureDeducedTask({}, options()));
  return planOf(task.taskId);
}

function idIn(metadata: JsonObject | JsonValue[], key: string): string | undefined {
  const value = Array.isArray(metadata) ? undefined : metadata[key];
  const id = typeof value === "string" ? value.trim().toLowerCase() : "";
  return uuid.test(id) ? id : undefined;
}

/** Undefined when it is not found. */
async function optional<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ConnectError && error.code === Code.NotFound) return undefined;
    throw error;
  }
}
