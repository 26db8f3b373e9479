// Transfer of the catalog's rows into an empty application.

import { RowTransfer } from "@ems/kit/db/transfer";
import { type Mount, mount } from "@ems/kit/rpc/service";
import { CatalogTransferService } from "@ems/proto/catalog/v1/catalog_transfer_service";
import type { Deps } from "../deps.ts";
import { catalogSchema } from "../schema.ts";
import { importCatalogRows } from "./import-catalog-rows.ts";
import { readCatalogRows } from "./read-catalog-rows.ts";
import { transferredTables } from "./tables.ts";

export function transfer({ database }: Pick<Deps, "database">): Mount {
  const rows = new RowTransfer(database, catalogSchema, transferredTables);
  return mount(CatalogTransferService, {
    readCatalogRows: readCatalogRows(rows),
    importCatalogRows: importCatalogRows(database, rows),
  });
}
