import type { RowTransfer } from "@ems/kit/db/transfer";
import type { Handlers } from "@ems/kit/rpc/service";
import type { CatalogTransferService } from "@ems/proto/catalog/v1/catalog_transfer_service";

type Handler = Handlers<typeof CatalogTransferService>["readCatalogRows"];

export function readCatalogRows(rows: RowTransfer): Handler {
  return ({ after }, call) => rows.export(call, after);
}
