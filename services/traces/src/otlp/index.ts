import { type Mount, mount } from "@ems/kit/rpc/service";
import { OtlpService } from "@ems/proto/experiments/v1/otlp_service";
import type { Deps } from "../deps.ts";
import type { StepMonths } from "../traces/index.ts";
import { exportLogs } from "./export-logs.ts";
import { exportMetrics } from "./export-metrics.ts";
import { exportTraces } from "./export-traces.ts";

export const otlp = (deps: Deps, months: StepMonths, rowsMax: number): Mount =>
  mount(OtlpService, {
    exportTraces: exportTraces(deps, months, rowsMax),
    exportLogs: exportLogs(deps, rowsMax),
    exportMetrics,
  });
