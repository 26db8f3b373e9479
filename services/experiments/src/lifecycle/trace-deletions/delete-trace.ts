import { setTimeout as delay } from "node:timers/promises";
import { monotonicMs } from "@ems/kit/clock";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TraceDeletionService } from "@ems/proto/experiments/v1/trace_deletion_service";
import { toTraceId } from "@ems/traces-client";
import type { Deps } from "../../deps.ts";
import { findTraces } from "../../traces/index.ts";
import { type ErasureDeps, type ErasureRow, eraseBatch } from "../erasures/index.ts";
import { startDeletion } from "./start-deletion.ts";

type Handler = Handlers<typeof TraceDeletionService>["deleteTrace"];

const timeoutMs = 30_000;
const leaseMs = 60_000;
/** Maximum time that the response waits for the deletion, such as one that restores archived rows first. */
const waitMs = 5_000;

const release =
  "UPDATE experiments.erasure SET due_at = now() WHERE application_id = $1 AND id = $2 AND status = 'RUNNING'";

/** Deletes a trace before it responds, and has the worker continue with the copies in other services. */
export function deleteTrace(deps: Deps, onCreated: () => void): Handler {
  const { database, clock, newId, stores } = deps;
  return async ({ id: requested }, call) => {
    const traceId = toTraceId(requested);
    let started: ErasureRow | undefined;
    const answer = await database.changeAfter(
      call,
      async () => (await findTraces(stores, call, [traceId])).get(traceId),
      async (tx, trace) => {
        if (trace === undefined) return {};
        const deletion = { id: newId(), traceIds: [trace.id], now: clock.now(), leaseMs };
        started = startDeletion(tx, call.tenant, deletion, trace.id);
        return {};
      },
    );
    if (started !== undefined) await Promise.race([eraseNow(deps, started), delay(waitMs, undefined, { ref: false })]);
    onCreated();
    return answer;
  };
}

/** Deletes the trace. The worker retries a deletion that fails, and logs the reason. */
async function eraseNow(deps: ErasureDeps, deletion: ErasureRow): Promise<void> {
  const { applicationId, id } = deletion;
  await eraseBatch(deps, deletion).catch(() =>
    deps.database
      .withScope(deletion, monotonicMs() + timeoutMs, (tx) => tx.query(release, [applicationId, id]))
      .catch(() => undefined),
  );
}
