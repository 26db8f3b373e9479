import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TestPlanService } from "@ems/proto/catalog/v1/test_plan_service";
import type { Deps } from "../deps.ts";
import { newResource } from "../new-resource.ts";

const existing = `SELECT id AS "taskId", topic_id AS "topicId" FROM catalog.task
  WHERE application_id = $1 AND deduced_for = $2`;

const titleMax = 200;
const insertion = `INSERT INTO catalog.task
    (application_id, id, org_id, topic_id, title, description, type, status, deduced_for, created_at, modified_at)
  SELECT $1, $3, $4, topic.id, coalesce('Live traffic: ' || left(topic.title, ${titleMax}), 'Live traffic'),
    'Requests of live traffic that name no task', 'NORMAL', 'DEDUCED', $2, $5, $5
  FROM (SELECT) one LEFT JOIN catalog.topic ON topic.application_id = $1 AND topic.id = $2
  WHERE topic.id IS NOT NULL OR $1 = $2
  ON CONFLICT (application_id, deduced_for) DO NOTHING`;

interface DeducedTask {
  readonly taskId: string;
  readonly topicId: string | null;
}

/** Returns the DEDUCED task, even if archived; creates a new one if a person has taken it over. */
export function ensureDeducedTask({ database, ...deps }: Deps): Handlers<typeof TestPlanService>["ensureDeducedTask"] {
  return async ({ topicId }, call) => {
    const { applicationId } = call.tenant;
    const key = [applicationId, topicId?.toLowerCase() ?? applicationId];
    const read = { name: "deduced-task", text: existing, values: key };
    const [found] = await database.read<DeducedTask>(call, read);
    if (found !== undefined) return answer(found);
    return database.change(call, async (tx) => {
      const { id, orgId, createdAt } = newResource(deps, call);
      tx.defer(insertion, [...key, id, orgId, createdAt]);
      const [made] = await tx.query<DeducedTask>(existing, key);
      if (made === undefined) throw notFound("Topic");
      return answer(made);
    });
  };
}

function answer({ taskId, topicId }: DeducedTask) {
  return { taskId, ...(topicId !== null && { topicId }) };
}
