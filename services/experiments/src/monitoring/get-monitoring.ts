import type { Handlers } from "@ems/kit/rpc/service";
import type { ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import type { Deps } from "../deps.ts";

type Handler = Handlers<typeof ExecutionService>["getMonitoring"];

const text = `SELECT sample_rate AS "sampleRate" FROM experiments.monitoring WHERE application_id = $1`;

/** The share of live traffic that is judged. */
export function getMonitoring({ database }: Pick<Deps, "database">): Handler {
  return async (_request, call) => {
    const values = [call.tenant.applicationId];
    const [row] = await database.read<{ sampleRate: number }>(call, { name: "get-monitoring", text, values });
    return { sampleRate: row?.sampleRate ?? 0 };
  };
}
