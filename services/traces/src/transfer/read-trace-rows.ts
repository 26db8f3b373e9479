import type { RowTransfer } from "@ems/kit/db/transfer";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TraceTransferService } from "@ems/proto/traces/v1/trace_transfer_service";

type Handler = Handlers<typeof TraceTransferService>["readTraceRows"];

export function readTraceRows(rows: RowTransfer): Handler {
  return ({ after }, call) => rows.export(call, after);
}
