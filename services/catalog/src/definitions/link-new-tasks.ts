// Links definitions to tasks that are being created.

import type { Database } from "@ems/kit/db/database";
import type { Transaction } from "@ems/kit/db/transaction";
import { notFound } from "@ems/kit/errors";
import { distinctIds } from "@ems/kit/id";
import type { Call } from "@ems/kit/rpc/call";
import type { Deps } from "../deps.ts";
import { TaskLinkEntity } from "./entity.ts";
import type { Expectation } from "./link-config.ts";
import { buildPairs } from "./links.ts";
import type { LinkedDefinition } from "./messages.ts";
import { definitionColumns } from "./queries.ts";

const someDefinitions = `SELECT ${definitionColumns} FROM catalog.eval_definition definition
  WHERE definition.application_id = $1 AND definition.id = ANY ($2::uuid[]) ORDER BY definition.created_at, definition.id`;

/** Returns the definitions, oldest first. They still exist when they are linked, because no RPC deletes definitions. */
export async function definitionsById(
  database: Database,
  call: Call,
  ids: readonly string[],
): Promise<LinkedDefinition[]> {
  if (ids.length === 0) return [];
  const uniqueIds = distinctIds(ids);
  const values = [call.tenant.applicationId, uniqueIds];
  const rows = await database.read<LinkedDefinition>(call, { name: "some-definitions", text: someDefinitions, values });
  if (rows.length < uniqueIds.length) throw notFound("Evaluation definition");
  return rows;
}

/** Links each definition to each task. */
export async function linkNewTasks(
  { publish }: Pick<Deps, "publish">,
  tx: Transaction,
  call: Call,
  {
    definitions,
    taskIds,
    ...expectation
  }: Expectation & {
    readonly definitions: readonly Pick<LinkedDefinition, "id">[];
    readonly taskIds: readonly string[];
  },
): Promise<void> {
  if (definitions.length === 0) return;
  const evalIds = definitions.map(({ id }) => id);
  const { applicationId } = call.tenant;
  const links = buildPairs(evalIds, taskIds).map(({ definitionId, id }) => ({
    applicationId,
    definitionId,
    taskId: id,
    ...expectation,
  }));
  await tx.insert(TaskLinkEntity, links);
  await publish(tx, call.tenant, { case: "definitionLinked", value: { evalIds, taskIds: [...taskIds] } });
}
