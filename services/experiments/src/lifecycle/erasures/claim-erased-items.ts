import type { RelayDatabase } from "@ems/kit/db/relay-database";
import { enumName } from "@ems/kit/enum";
import type { Handlers } from "@ems/kit/rpc/service";
import { ErasingServiceSchema, type ErasureWorkService } from "@ems/proto/experiments/v1/erasure_work_service";
import type { ErasureWorkRow } from "./entity.ts";
import { erasureWorkQueue } from "./queue.ts";

type Handler = Handlers<typeof ErasureWorkService>["claimErasedItems"];

/** Claims the due erasure work of one service, for all tenants. */
export function claimErasedItems(relay: RelayDatabase): Handler {
  return async ({ service, limit, leaseMs }) => {
    const lane = enumName<ErasureWorkRow["service"]>(ErasingServiceSchema, service);
    return { items: await erasureWorkQueue.on(relay).claim({ lane, rowsMax: limit, leaseMs }) };
  };
}
