// What the RPCs that link and unlink evaluation definitions share.

import { notFound } from "@ems/kit/errors";
import type { EntityManager } from "typeorm";
import { isAnyMissing } from "../references/queries.ts";

/** Ids that a request names. */
export interface Named {
  readonly evalIds: readonly string[];
  readonly topicIds?: readonly string[];
  readonly taskIds?: readonly string[];
}

const missing = `SELECT ${isAnyMissing("eval_definition", "$2")} AS definition,
  ${isAnyMissing("topic", "$3")} AS topic, ${isAnyMissing("task", "$4")} AS task`;

/** Throws unless all of the ids name resources of the application. */
export async function requireNamed(
  manager: EntityManager,
  applicationId: string,
  { evalIds, topicIds = [], taskIds = [] }: Named,
): Promise<void> {
  type Row = { definition: boolean; topic: boolean; task: boolean };
  const [row] = await manager.query<Row[]>(missing, [applicationId, evalIds, topicIds, taskIds]);
  if (row?.definition) throw notFound("Evaluation definition");
  if (row?.topic) throw notFound("Topic");
  if (row?.task) throw notFound("Task");
}

/** Whether a statement that changes links changed any. */
export async function changesAny(manager: EntityManager, statement: string, values: unknown[]): Promise<boolean> {
  const text = `WITH changed AS (${statement} RETURNING 1) SELECT count(*)::int AS changed FROM changed`;
  const [row] = await manager.query<{ changed: number }[]>(text, values);
  return row !== undefined && row.changed > 0;
}
