import type { Client } from "@connectrpc/connect";
import { type BackgroundLoop, startLoop } from "@ems/kit/background";
import { monotonicMs } from "@ems/kit/clock";
import { createTenantContext, requestIdHeader } from "@ems/kit/rpc/call";
import { ErasingService, type ErasureWorkService } from "@ems/proto/experiments/v1/erasure_work_service";
import type { Deps } from "../deps.ts";
import { erasePayloads } from "./erase-payloads.ts";

const everyMs = 5_000;
const leaseMs = 120_000;
const callMs = 10_000;
/** Timeout of a batch, shorter than its lease. */
const timeoutMs = 60_000;
const claimMax = 5;

export interface ErasingDeps extends Pick<Deps, "database" | "newId" | "log"> {
  readonly erasureWork: Client<typeof ErasureWorkService>;
}

/** Starts the loop that gets erased IDs from experiments, and erases the content sent and logged about them. */
export function startErasing(deps: ErasingDeps): BackgroundLoop {
  return startLoop({
    name: "erasing deliveries",
    everyMs,
    firstAfterMs: everyMs,
    backoffMaxMs: 12 * everyMs,
    log: deps.log,
    work: async () => ((await eraseDeliveries(deps)) === claimMax ? "more" : "idle"),
  });
}

/** Erases a batch; returns the amount of work done. */
export async function eraseDeliveries({ database, erasureWork, newId }: ErasingDeps): Promise<number> {
  const options = (tenant?: Parameters<typeof createTenantContext>[0]) => ({
    contextValues: createTenantContext(tenant),
    headers: { [requestIdHeader]: newId() },
    timeoutMs: callMs,
  });
  const request = { service: ErasingService.NOTIFICATIONS, limit: claimMax, leaseMs };
  const { items } = await erasureWork.claimErasedItems(request, options());
  for (const item of items) {
    const { applicationId, orgId } = item;
    const counts = await database.withScope({ applicationId, orgId }, monotonicMs() + timeoutMs, (tx) =>
      erasePayloads(tx, item),
    );
    const tenant = { applicationId, orgId, userId: "", isBackground: true } as const;
    await erasureWork.finishErasedItems({ id: item.id, ...counts }, options(tenant));
  }
  return items.length;
}
