import type { Transaction } from "./transaction.ts";

/** Events about one thing with all its texts; those of others have ids, numbers and states. */
const eventTypes = ["issue.created", "task.archived"];

/** What the audit log calls links to the things, and the ids by which it names them. */
export interface Links {
  readonly resource: string;
  readonly ids: readonly string[];
}

/** Erases what the schema's audit log, stored answers and outbox hold of the things. */
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
