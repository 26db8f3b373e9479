import type { Handlers } from "@ems/kit/rpc/service";
import type { ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import type { Deps } from "../deps.ts";

type Handler = Handlers<typeof ExecutionService>["setExecutionSettings"];

const upsert = `
  INSERT INTO experiments.execution_setting (application_id, org_id, sample_rate, test_timeout_ms, modified_at)
  VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (application_id) DO UPDATE SET sample_rate = excluded.sample_rate,
    test_timeout_ms = excluded.test_timeout_ms, modified_at = excluded.modified_at`;

/** Sets how the application's tests are executed, and how much of its live traffic is judged. */
export function setExecutionSettings({ database, clock }: Pick<Deps, "database" | "clock">): Handler {
  return ({ sampleRate, testTimeoutMs }, call) =>
    database.change(call, async (tx) => {
      const { applicationId, orgId } = call.tenant;
      tx.defer(upsert, [applicationId, orgId, sampleRate, testTimeoutMs ?? null, clock.now()]);
      return {};
    });
}
