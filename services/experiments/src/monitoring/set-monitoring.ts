import type { Handlers } from "@ems/kit/rpc/service";
import type { ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import type { Deps } from "../deps.ts";

type Handler = Handlers<typeof ExecutionService>["setMonitoring"];

const upsert = `INSERT INTO experiments.monitoring (application_id, org_id, sample_rate, modified_at)
  VALUES ($1, $2, $3, $4)
  ON CONFLICT (application_id) DO UPDATE SET sample_rate = excluded.sample_rate, modified_at = excluded.modified_at`;

/** Sets the share of live traffic that is judged. */
export function setMonitoring({ database, clock }: Pick<Deps, "database" | "clock">): Handler {
  return ({ sampleRate }, call) =>
    database.change(call, async (tx) => {
      const { applicationId, orgId } = call.tenant;
      tx.defer(upsert, [applicationId, orgId, sampleRate, clock.now()]);
      return {};
    });
}
