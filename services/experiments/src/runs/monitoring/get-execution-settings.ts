import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { definedFields } from "@ems/kit/patch";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import type { Deps } from "../../deps.ts";

type Handler = Handlers<typeof ExecutionService>["getExecutionSettings"];

const text = `SELECT sample_rate AS "sampleRate", test_timeout_ms AS "testTimeoutMs", kappa_floor AS "kappaFloor"
  FROM experiments.execution_setting WHERE application_id = $1`;

interface SettingRow {
  readonly sampleRate: number;
  readonly testTimeoutMs: number | null;
  readonly kappaFloor: number | null;
}

/** The kappa below which a judge is not to be relied on, unless the application has its own; the view of calibrations has it too. */
export const kappaFloorDefault = 0.4;

/** How the application's tests are executed, how much of its live traffic is judged, and how long all of it is kept. */
export function getExecutionSettings({ database, retention }: Pick<Deps, "database" | "retention">): Handler {
  return async (_request, call) => {
    const values = [call.tenant.applicationId];
    const [row] = await database.read<SettingRow>(call, { name: "get-execution-settings", text, values });
    const testTimeoutMs = row?.testTimeoutMs ?? undefined;
    const kappaFloor = row?.kappaFloor ?? kappaFloorDefault;
    const since = (kind: "traces" | "results") => {
      const date = retention.since(kind);
      return date && timestampFromDate(date);
    };
    return {
      sampleRate: row?.sampleRate ?? 0,
      kappaFloor,
      ...definedFields({
        testTimeoutMs,
        tracesDays: retention.daysOf("traces"),
        tracesSince: since("traces"),
        resultsDays: retention.daysOf("results"),
        resultsSince: since("results"),
      }),
    };
  };
}
