import type { RelayDatabase } from "@ems/kit/db/relay-database";
import { type Mount, mount } from "@ems/kit/rpc/service";
import { ErasureService } from "@ems/proto/experiments/v1/erasure_service";
import { ErasureWorkService } from "@ems/proto/experiments/v1/erasure_work_service";
import type { Deps } from "../../deps.ts";
import { claimErasedItems } from "./claim-erased-items.ts";
import { createErasure } from "./create-erasure.ts";
import { finishErasedItems } from "./finish-erased-items.ts";
import { getErasure } from "./get-erasure.ts";
import { listErasures } from "./list-erasures.ts";

export { ErasureEntity, type ErasureRow } from "./entity.ts";
export { traceDeletion } from "./messages.ts";
export { type ErasureDeps, eraseBatch, startErasures } from "./worker.ts";

export const erasures = (deps: Deps, onCreated: () => void): Mount =>
  mount(ErasureService, {
    createErasure: createErasure(deps, onCreated),
    getErasure: getErasure(deps),
    listErasures: listErasures(deps),
  });

export const erasureWork = (deps: Deps, relay: RelayDatabase): Mount =>
  mount(ErasureWorkService, {
    claimErasedItems: claimErasedItems(relay),
    finishErasedItems: finishErasedItems(deps),
  });
