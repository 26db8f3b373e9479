import type { Database } from "@ems/kit/db/database";
import { type RowTransfer, refuseRows } from "@ems/kit/db/transfer";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ResultTransferService } from "@ems/proto/experiments/v1/result_transfer_service";

type Handler = Handlers<typeof ResultTransferService>["importResultRows"];

export function importResultRows(database: Database, rows: RowTransfer): Handler {
  return async (request, call) => {
    const insert = await rows.prepareImport(call, request);
    return database.change(call, async (tx) => ({ count: BigInt(await insert(tx)) })).catch(refuseRows);
  };
}
