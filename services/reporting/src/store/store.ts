import type { Call } from "@ems/kit/rpc/call";
import { histogram } from "@ems/kit/telemetry/metrics";
import type { Plan, ReferenceNames, ResultRow } from "../query/index.ts";

export interface UnreliableDefinition {
  readonly id: string;
  readonly name: string;
  /** Agreement of the judge with people (kappa). */
  readonly kappa: number;
  /** Number of rows in the report that use this definition. */
  readonly rows: number;
}

export interface Report {
  /** Rows on the page. */
  readonly rows: readonly ResultRow[];
  /** Total number of rows or groups. */
  readonly total: number;
  /** Names of the resources that the page refers to. */
  readonly names: ReferenceNames;
  /** Definitions with unreliable judges, among those of all matching rows. */
  readonly unreliable: readonly UnreliableDefinition[];
  /** Source of the data: `rollup` even if rows were read for edges; `archive` if any of the rows are archived. */
  readonly readFrom: "rollup" | "rows" | "archive";
}

/** Runs plans. Another engine, such as a columnar one, could implement this interface. */
export interface ReportingStore {
  /** Runs a plan on one snapshot of the data; stops if the call is canceled. */
  run(call: Call, plan: Plan): Promise<Report>;
}

const observe = histogram({
  name: "ems_reporting_query_duration_seconds",
  help: "Time to read reports, by datasource and by the storage that was read.",
  labels: ["datasource", "read_from"],
});

/** Wraps `store` to measure its duration. */
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
