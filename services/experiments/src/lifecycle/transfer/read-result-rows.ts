import type { RowTransfer } from "@ems/kit/db/transfer";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ResultTransferService } from "@ems/proto/experiments/v1/result_transfer_service";

type Handler = Handlers<typeof ResultTransferService>["readResultRows"];

export function readResultRows(rows: RowTransfer): Handler {
  return ({ after }, call) => rows.export(call, after);
}
