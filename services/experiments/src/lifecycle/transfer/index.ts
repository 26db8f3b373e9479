// Transfer of results' rows, with all sums of them, into an empty application.

import { RowTransfer } from "@ems/kit/db/transfer";
import { type Mount, mount } from "@ems/kit/rpc/service";
import { ResultTransferService } from "@ems/proto/experiments/v1/result_transfer_service";
import type { Deps } from "../../deps.ts";
import { experimentsSchema } from "../../schema.ts";
import { importResultRows } from "./import-result-rows.ts";
import { readResultRows } from "./read-result-rows.ts";
import { transferredTables } from "./tables.ts";

export function transfer({ database }: Pick<Deps, "database">): Mount {
  const rows = new RowTransfer(database, experimentsSchema, transferredTables);
  return mount(ResultTransferService, {
    readResultRows: readResultRows(rows),
    importResultRows: importResultRows(database, rows),
  });
}
