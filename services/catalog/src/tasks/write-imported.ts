// Writes the tasks of an import with their identities, tags and links: one statement for each kind of change.

import type { Upsert } from "@ems/kit/db/insert";
import type { Transaction } from "@ems/kit/db/transaction";
import type { Call } from "@ems/kit/rpc/call";
import { linkImportedTasks } from "../definitions/index.ts";
import type { Deps } from "../deps.ts";
import { tagImportedTasks } from "../tags/index.ts";
import { ImportedTaskEntity, TaskEntity, type TaskRow } from "./entity.ts";
import type { DecidedTask } from "./import-states.ts";

const setImported: Upsert<{
  applicationId: string;
  source: string;
  externalId: string;
  taskId: string;
  contentHash: string;
  importedAt: Date;
}> = { key: ["applicationId", "source", "externalId"], update: ["contentHash", "importedAt"] };

/** Locks in id order, which prevents deadlocks with other changes of several tasks. */
const lockTasks = `SELECT FROM catalog.task WHERE application_id = $1 AND id = ANY ($2::uuid[])
  ORDER BY id FOR NO KEY UPDATE`;

const updateTasks = `UPDATE catalog.task t SET title = r.title, description = r.description, prompts = r.prompts,
    examples = r.examples, metadata = r.metadata, simulated_prompt_schema = r.schema, topic_id = r.topic,
    status = r.status, deduced_for = r.deduced, modified_at = r.modified
  FROM jsonb_to_recordset($2::jsonb) AS r (id uuid, title text, description text, prompts text[], examples jsonb,
    metadata jsonb, schema jsonb, topic uuid, status text, deduced uuid, modified timestamptz)
  WHERE t.application_id = $1 AND t.id = r.id`;

export async function writeImported(
  deps: Deps,
  tx: Transaction,
  call: Call,
  { tasks, source }: { readonly tasks: readonly DecidedTask[]; readonly source: string },
): Promise<void> {
  const { applicationId } = call.tenant;
  const created = tasks.filter(({ action }) => action === "CREATE");
  const updated = tasks.filter(({ action }) => action === "UPDATE");
  await tx.insert(
    TaskEntity,
    created.map(({ row }) => row),
  );
  if (updated.length > 0) {
    const ids = updated.map(({ row }) => row.id);
    tx.defer(lockTasks, [applicationId, ids]);
    tx.defer(updateTasks, [applicationId, JSON.stringify(updated.map(({ row }) => changes(row)))]);
  }
  const identities = [...created, ...updated].map(({ externalId, contentHash, row }) => ({
    applicationId,
    source,
    externalId,
    taskId: row.id,
    contentHash,
    importedAt: row.modifiedAt,
  }));
  await tx.insert(ImportedTaskEntity, identities, setImported);
  const written = [...created, ...updated];
  await tagImportedTasks(
    deps,
    tx,
    call,
    written.map(({ row, tagIds }) => ({ taskId: row.id, tagIds })),
  );
  await linkImportedTasks(
    deps,
    tx,
    call,
    written.map(({ row, links }) => ({ taskId: row.id, links })),
  );
}

function changes({
  id,
  title,
  description,
  prompts,
  examples,
  metadata,
  topicId,
  status,
  modifiedAt,
  ...rest
}: TaskRow) {
  const { simulatedPromptSchema: schema, deducedFor: deduced } = rest;
  return {
    id,
    title,
    description,
    prompts,
    examples,
    metadata,
    schema,
    topic: topicId,
    status,
    deduced,
    modified: modifiedAt,
  };
}
