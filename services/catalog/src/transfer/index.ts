// Transfer of the catalog's rows into an empty application.

import { RowTransfer, type TransferredTable } from "@ems/kit/db/transfer";
import { type Mount, mount } from "@ems/kit/rpc/service";
import { CatalogTransferService } from "@ems/proto/catalog/v1/catalog_transfer_service";
import type { Deps } from "../deps.ts";
import { catalogSchema } from "../schema.ts";

/** In an order in which rows can be inserted. */
export const transferredTables: readonly TransferredTable[] = [
  { table: "quickstart" },
  { table: "style_guide" },
  { table: "topic" },
  { table: "tag" },
  { table: "task" },
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

export function transfer({ database }: Pick<Deps, "database">): Mount {
  const rows = new RowTransfer(database, catalogSchema, transferredTables);
  return mount(CatalogTransferService, {
    exportCatalogRows: ({ after }, call) => rows.export(call, after),
    importCatalogRows: async (request, call) => ({ count: BigInt(await rows.import(call, request)) }),
  });
}
