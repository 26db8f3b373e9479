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

/** Default of the minimum kappa for a reliable judge. The view `catalog.judge_calibration_v1` has the same default. */
export const kappaFloorDefault = 0.4;

const tracesText = "SELECT days, since FROM experiments.trace_retention_v1()";

interface TraceRetention {
  readonly days: number | null;
  readonly since: Date | null;
}

/** Returns the application's settings for tests, live traffic and retention. */
export function getExecutionSettings({ database, retention }: Pick<Deps, "database" | "retention">): Handler {
  return async (_request, call) => {
    const values = [call.tenant.applicationId];
    const [settings, ofTraces] = await database.readAll(call, [
      { name: "get-execution-settings", text, values },
      { name: "trace-retention", text: tracesText, values: [] },
    ]);
    // Safe cast: the row types match the statements' select lists.
    const [row] = settings as SettingRow[];
    const [traces] = ofTraces as TraceRetention[];
    const resultsSince = retention.since("results");
    return {
      sampleRate: row?.sampleRate ?? 0,
      kappaFloor: row?.kappaFloor ?? kappaFloorDefault,
      ...definedFields({
        testTimeoutMs: row?.testTimeoutMs ?? undefined,
        tracesDays: traces?.days ?? undefined,
        tracesSince: traces?.since ? timestampFromDate(traces.since) : undefined,
        resultsDays: retention.getDays("results"),
        resultsSince: resultsSince && timestampFromDate(resultsSince),
      }),
    };
  };
}
