// Transfer of traces' rows into an empty application.

import { RowTransfer } from "@ems/kit/db/transfer";
import { type Mount, mount } from "@ems/kit/rpc/service";
import { TraceTransferService } from "@ems/proto/traces/v1/trace_transfer_service";
import type { Deps } from "../deps.ts";
import { tracesSchema } from "../schema.ts";
import { importTraceRows } from "./import-trace-rows.ts";
import { readTraceRows } from "./read-trace-rows.ts";
import { transferredTables } from "./tables.ts";

export function transfer({ database }: Pick<Deps, "database">): Mount {
  const rows = new RowTransfer(database, tracesSchema, transferredTables);
  return mount(TraceTransferService, {
    readTraceRows: readTraceRows(rows),
    importTraceRows: importTraceRows(database, rows),
  });
}
