import type { Call } from "@ems/kit/rpc/call";
import { histogram } from "@ems/kit/telemetry/metrics";
import type { Plan, ReferenceNames, ResultRow } from "../query/index.ts";

export interface UnreliableDefinition {
  readonly id: string;
  readonly name: string;
  /** Agreement of the judge with people. */
  readonly kappa: number;
  /** Number of matching rows of this definition. */
  readonly rows: number;
}

export interface Report {
  /** Rows of the page. */
  readonly rows: readonly ResultRow[];
  /** Total number of rows or groups. */
  readonly total: number;
  /** Names of the page's references. */
  readonly names: ReferenceNames;
  /** Definitions of all matching rows whose judges are unreliable. */
  readonly unreliable: readonly UnreliableDefinition[];
  /** `rollup` even if rows were read at the bounds of its days; `archive` if any of them are archived. */
  readonly readFrom: "rollup" | "rows" | "archive";
}

/** Runs plans. Another engine, such as a columnar one, could implement this interface. */
export interface ReportingStore {
  /** Reads one snapshot of the data; canceled with the call. */
  run(call: Call, plan: Plan): Promise<Report>;
}

const observe = histogram({
  name: "ems_reporting_query_duration_seconds",
  help: "Time to read reports, by datasource and by the storage that was read.",
  labels: ["datasource", "read_from"],
});

/** Measures the duration of `store`. */
export function measuredStore(store: ReportingStore): ReportingStore {
  return {
    async run(call, plan) {
      const startedMs = performance.now();
      let readFrom = "none";
      try {
        const report = await store.run(call, plan);
        ({ readFrom } = report);
        return report;
      } finally {
        observe({ datasource: plan.source.id, read_from: readFrom }, performance.now() - startedMs);
      }
    },
  };
}
