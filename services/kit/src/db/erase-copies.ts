import type { Transaction } from "./transaction.ts";

/** Events that contain all texts of one resource; other events have only ids, numbers and states. */
const eventTypes = ["annotation.created", "annotation.deleted", "annotation.updated", "issue.created", "task.archived"];

/** Resource name that the audit log uses for links to erased resources, and the ids of these links. */
export interface Links {
  readonly resource: string;
  readonly ids: readonly string[];
}

/** Erases copies of the resources in the schema's audit log, stored responses and outbox. */
export function eraseCopies(
  tx: Transaction,
  schema: string,
  ids: readonly string[],
  links: Links = { resource: "", ids: [] },
): void {
  if (ids.length === 0) return;
  const values = [ids, eventTypes, links.resource, links.ids];
  tx.defer(`SELECT ${schema}.erase_copies($1::uuid[], $2::text[], $3, $4::uuid[])`, values);
}
