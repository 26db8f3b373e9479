// Tables whose rows are transferred, and those that stay.

import type { TransferredTable } from "@ems/kit/db/transfer";

/** In an order in which rows can be inserted. */
export const transferredTables: readonly TransferredTable[] = [
  { table: "quickstart" },
  { table: "style_guide" },
  { table: "topic" },
  { table: "tag" },
  { table: "task" },
  { table: "imported_task" },
  { table: "task_tag" },
  {
    table: "document",
    together: { table: "document_version", on: { document_id: "id", version_number: "active_version" } },
  },
  { table: "document_version" },
  { table: "document_tag" },
  { table: "fact" },
  { table: "fact_topic" },
  { table: "eval_definition" },
  { table: "eval_definition_application" },
  { table: "eval_definition_topic" },
  { table: "eval_definition_task" },
];

/** Tables that are not transferred: triggers fill them, or they are no content. */
export const otherTables: readonly string[] = [
  ...[
    "document_count",
    "document_version_search",
    "tag_search",
    "task_count",
    "task_search",
    "topic_count",
    "topic_search",
  ],
  ...["audit", "idempotency", "import", "migration", "outbox", "retention"],
];
