import type { Handlers } from "@ems/kit/rpc/service";
import type { ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import type { Deps } from "../../deps.ts";

type Handler = Handlers<typeof ExecutionService>["setExecutionSettings"];

const upsert = `
  INSERT INTO experiments.execution_setting (application_id, org_id, sample_rate, test_timeout_ms, kappa_floor, modified_at)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (application_id) DO UPDATE SET sample_rate = excluded.sample_rate,
    test_timeout_ms = excluded.test_timeout_ms, kappa_floor = excluded.kappa_floor, modified_at = excluded.modified_at`;

/** Updates the application's settings for tests and live traffic. */
export function setExecutionSettings({ database, clock }: Pick<Deps, "database" | "clock">): Handler {
  return ({ sampleRate, testTimeoutMs, kappaFloor }, call) =>
    database.change(call, async (tx) => {
      const { applicationId, orgId } = call.tenant;
      const settings = [sampleRate, testTimeoutMs ?? null, kappaFloor ?? null];
      tx.defer(upsert, [applicationId, orgId, ...settings, clock.now()]);
      return {};
    });
}
