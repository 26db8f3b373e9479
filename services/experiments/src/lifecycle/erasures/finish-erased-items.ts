import type { Handlers } from "@ems/kit/rpc/service";
import type { ErasureWorkService } from "@ems/proto/experiments/v1/erasure_work_service";
import type { Deps } from "../../deps.ts";
import { addErased } from "./add-erased.ts";

type Handler = Handlers<typeof ErasureWorkService>["finishErasedItems"];

const end = "DELETE FROM experiments.erasure_work WHERE application_id = $1 AND id = $2 RETURNING erasure_id AS id";

/** Records that a service finished its work. Only the first report of a work item is counted. */
export function finishErasedItems({ database, clock }: Pick<Deps, "database" | "clock">): Handler {
  return ({ id, jobs, deliveries, events }, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      const [erasure] = await tx.query<{ id: string }>(end, [applicationId, id]);
      if (erasure === undefined) return {};
      const counts = { jobs: Number(jobs), deliveries: Number(deliveries), events: Number(events) };
      await addErased(tx, applicationId, erasure.id, clock.now(), counts);
      return {};
    });
}
