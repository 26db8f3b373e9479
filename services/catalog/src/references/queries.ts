// What a request names must be there, in the caller's application; otherwise it is not found and nothing is changed.

import { notFound } from "@ems/kit/errors";
import type { EntityManager } from "typeorm";
import { TopicEntity } from "../topics/entity.ts";

export async function requireTopic(manager: EntityManager, applicationId: string, id: string): Promise<void> {
  const isKnown = await manager.existsBy(TopicEntity, { applicationId, id });
  if (!isKnown) throw notFound("Topic");
}

/** SQL: whether any of the ids is no row of the caller's application, which is `$1`. */
export const isAnyMissing = (
  table: "task" | "tag" | "topic" | "eval_definition",
  ids: string,
) => `EXISTS (SELECT FROM unnest(${ids}::uuid[]) AS wanted (id)
  WHERE NOT EXISTS (SELECT FROM catalog.${table} known WHERE known.application_id = $1 AND known.id = wanted.id))`;
const missing = `SELECT ${isAnyMissing("task", "$2")} AS task, ${isAnyMissing("tag", "$3")} AS tag`;

export async function requireTasksAndTags(
  manager: EntityManager,
  applicationId: string,
  { taskIds, tagIds }: { taskIds: string[]; tagIds: string[] },
): Promise<void> {
  const values = [applicationId, taskIds, tagIds];
  const [found] = await manager.query<{ task: boolean; tag: boolean }[]>(missing, values);
  if (found?.task) throw notFound("Task");
  if (found?.tag) throw notFound("Tag");
}
