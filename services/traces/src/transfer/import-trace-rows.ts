import type { Database } from "@ems/kit/db/database";
import { type RowTransfer, refuseRows } from "@ems/kit/db/transfer";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TraceTransferService } from "@ems/proto/traces/v1/trace_transfer_service";

type Handler = Handlers<typeof TraceTransferService>["importTraceRows"];

export function importTraceRows(database: Database, rows: RowTransfer): Handler {
  return async (request, call) => {
    const insert = await rows.prepareImport(call, request);
    return database.change(call, async (tx) => ({ count: BigInt(await insert(tx)) })).catch(refuseRows);
  };
}
