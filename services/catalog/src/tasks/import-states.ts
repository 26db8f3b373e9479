// Decides what becomes of each row of an import: compares it with the task that its last import wrote. Pure.

import { hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";

import { buildSelectList } from "@ems/kit/db/columns";
import type { Call } from "@ems/kit/rpc/call";
import type { Expectation } from "../definitions/index.ts";
import { TaskEntity, type TaskRow } from "./entity.ts";
import type { ImportDraft } from "./import-drafts.ts";
import type { FaultList } from "./import-faults.ts";

export type ImportAction = "CREATE" | "UPDATE" | "UNCHANGED" | "CONFLICT";

/** The task of an imported row, before anything is written. */
export interface ImportedTask {
  readonly draft: ImportDraft;
  readonly externalId: string;
  readonly row: TaskRow;
  readonly tagIds: readonly string[];
  readonly links: readonly ({ readonly definitionId: string } & Expectation)[];
}

export interface DecidedTask extends ImportedTask {
  readonly action: ImportAction;
  readonly contentHash: string;
}

export type StoredTask = TaskRow & {
  readonly externalId: string;
  readonly contentHash: string;
  readonly importedAt: Date;
};

export function storedTasks(call: Call, source: string, externalIds: readonly string[]) {
  const text = `SELECT i.external_id AS "externalId", i.content_hash AS "contentHash", i.imported_at AS "importedAt",
      ${buildSelectList(TaskEntity, "task")}
    FROM catalog.imported_task i
    JOIN catalog.task task ON task.application_id = i.application_id AND task.id = i.task_id
    WHERE i.application_id = $1 AND i.source = $2 AND i.external_id = ANY ($3::text[])`;
  return { name: "imported-tasks", text, values: [call.tenant.applicationId, source, externalIds] };
}

/** Returns the identity of each draft: its own id, or a digest of its prompts and its position among equal ones. */
export function externalIds(drafts: readonly ImportDraft[], faults: FaultList): Map<ImportDraft, string> {
  const rows = new Map<string, number>();
  const counts = new Map<string, number>();
  const ids = new Map<ImportDraft, string>();
  for (const draft of drafts) {
    const { id, row } = draft;
    if (id === undefined) {
      const digest = contentDigest(draft);
      const count = (counts.get(digest) ?? 0) + 1;
      counts.set(digest, count);
      ids.set(draft, `sha256:${digest}:${draft.occurrence ?? count}`);
      continue;
    }
    const before = rows.get(id);
    if (before !== undefined) faults.add({ row, field: "id", message: `The id occurs twice, first in row ${before}` });
    else rows.set(id, row);
    ids.set(draft, id);
  }
  return ids;
}

/** Digests the prompts, so that a row whose expectation changes stays the same row. */
function contentDigest({ request }: ImportDraft): string {
  const { title, description, examples, inputExamples, prompts } = request;
  const inputs = examples.length > 0 ? examples.map(({ input }) => input) : [...inputExamples, ...prompts];
  const content = inputs.length > 0 ? inputs : [title, description];
  return hash("sha256", JSON.stringify(content), "base64url");
}

export function decide(
  tasks: readonly ImportedTask[],
  stored: readonly StoredTask[],
  { overwrite, now }: { readonly overwrite: boolean; readonly now: Date },
): DecidedTask[] {
  const byId = new Map(stored.map((row) => [row.externalId, row]));
  return tasks.map((task) => {
    const contentHash = hashContent(task);
    const before = byId.get(task.externalId);
    if (before === undefined) return { ...task, action: "CREATE", contentHash };
    const row = changedRow(task, before, now);
    const isEdited = before.modifiedAt.getTime() !== before.importedAt.getTime();
    const isSameFile = before.contentHash === contentHash;
    if (isSameFile && !isEdited) return { ...task, row, action: "UNCHANGED", contentHash };
    if (!isEdited) return { ...task, row, action: "UPDATE", contentHash };
    if (isEqual(row, before)) return { ...task, row, action: isSameFile ? "UNCHANGED" : "UPDATE", contentHash };
    return { ...task, row, action: overwrite ? "UPDATE" : "CONFLICT", contentHash };
  });
}

function hashContent({ row, tagIds, links }: ImportedTask): string {
  const { id: _, createdAt: __, modifiedAt: ___, ...content } = row;
  const named = links.map(({ definitionId: ____, ...expectation }) => expectation);
  return hash("sha256", JSON.stringify([content, tagIds, named]), "base64url");
}

/** The stored task with the row's content. A topic and a status stay, unless the row gives them. */
function changedRow({ row, draft }: ImportedTask, before: StoredTask, now: Date): TaskRow {
  const { externalId: _, contentHash: __, importedAt: ___, ...task } = before;
  const { title, description, prompts, examples, metadata, simulatedPromptSchema, topicId, status } = row;
  const keepsPrompts = task.type === "STATIC" && prompts.length === 0;
  return {
    ...task,
    title,
    description,
    ...(!keepsPrompts && { prompts, examples }),
    metadata,
    simulatedPromptSchema,
    ...(topicId !== null && { topicId }),
    ...(draft.request.status !== undefined && { status }),
    ...(isReleased(row, task, draft) && { deducedFor: null }),
    modifiedAt: now,
  };
}

const isReleased = (row: TaskRow, before: TaskRow, { request }: ImportDraft) =>
  before.deducedFor !== null && (row.topicId !== null || request.status !== undefined);

function isEqual(row: TaskRow, before: TaskRow): boolean {
  const names = [
    "title",
    "description",
    "prompts",
    "examples",
    "metadata",
    "simulatedPromptSchema",
    "topicId",
    "status",
  ] as const;
  return names.every((name) => isDeepStrictEqual(row[name], before[name]));
}
