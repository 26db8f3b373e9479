// Erases stored replies of judges about erased tests, which it gets from experiments.

import { type BackgroundLoop, startLoop } from "@ems/kit/background";
import { type ErasedItems, ErasingService } from "@ems/proto/experiments/v1/erasure_work_service";
import type { Deps } from "../deps.ts";
import { callOptions, toTenant } from "../jobs/index.ts";

const everyMs = 5_000;
const leaseMs = 60_000;
const claimMax = 20;

// A worker that is running one of these jobs loses its lease.
const erase = `UPDATE evaluation.job SET replies = NULL, outcome = NULL, waiting_for = NULL, leased_until = NULL, next_attempt_at = NULL,
    finished_at = coalesce(finished_at, $3)
  WHERE application_id = $1 AND test_id = ANY ($2::uuid[])`;

export type ErasingDeps = Pick<Deps, "erasureWork" | "relayDatabase" | "clock" | "newId" | "log">;

export function startErasing(deps: ErasingDeps): BackgroundLoop {
  return startLoop({
    name: "erasing jobs",
    everyMs,
    firstAfterMs: everyMs,
    backoffMaxMs: 12 * everyMs,
    log: deps.log,
    work: async () => ((await eraseJobs(deps)) === claimMax ? "more" : "idle"),
  });
}

/** Applies due erasures and returns their number. */
export async function eraseJobs({ erasureWork, relayDatabase, clock, newId }: ErasingDeps): Promise<number> {
  const request = { service: ErasingService.EVALUATION, limit: claimMax, leaseMs };
  const { items } = await erasureWork.claimErasedItems(request, callOptions(newId));
  for (const { id, testIds, ...owner } of items as readonly ErasedItems[]) {
    const values = [owner.applicationId, testIds, clock.now()];
    const jobs = await relayDatabase.change({ name: "erase-jobs", text: erase, values });
    await erasureWork.finishErasedItems({ id, jobs: BigInt(jobs) }, callOptions(newId, toTenant(owner)));
  }
  return items.length;
}
