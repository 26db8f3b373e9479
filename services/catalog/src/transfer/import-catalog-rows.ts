import type { Database } from "@ems/kit/db/database";
import { type RowTransfer, refuseRows } from "@ems/kit/db/transfer";
import type { Handlers } from "@ems/kit/rpc/service";
import type { CatalogTransferService } from "@ems/proto/catalog/v1/catalog_transfer_service";

type Handler = Handlers<typeof CatalogTransferService>["importCatalogRows"];

export function importCatalogRows(database: Database, rows: RowTransfer): Handler {
  return async (request, call) => {
    const insert = await rows.prepareImport(call, request);
    return database.change(call, async (tx) => ({ count: BigInt(await insert(tx)) })).catch(refuseRows);
  };
}
