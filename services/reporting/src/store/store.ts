import type { Call } from "@ems/kit/rpc/call";
import { histogram } from "@ems/kit/telemetry/metrics";
import type { Plan, ReferenceNames, ResultRow } from "../query/index.ts";

export interface UnreliableDefinition {
  readonly id: string;
  readonly name: string;
  /** Of the judge, with people. */
  readonly kappa: number;
  /** How many matching rows are its own. */
  readonly rows: number;
}

export interface Report {
  /** The page. */
  readonly rows: readonly ResultRow[];
  /** Rows or groups in all. */
  readonly total: number;
  /** The names of the page's references. */
  readonly names: ReferenceNames;
  /** Of all matching rows: the definitions whose judges are not to be relied on. */
  readonly unreliable: readonly UnreliableDefinition[];
  /** `rollup` also where rows were read at the bounds of its days, `archive` where any of them are archived. */
  readonly readFrom: "rollup" | "rows" | "archive";
}

/** Runs plans. The seam for another engine, such as a columnar one. */
export interface ReportingStore {
  /** Reads one snapshot of the data; ends when the call does. */
  run(call: Call, plan: Plan): Promise<Report>;
}

const observe = histogram({
  name: "ems_reporting_query_duration_seconds",
  help: "How long reports took to be read, by what they are about and where that was.",
  labels: ["datasource", "read_from"],
});

/** Observes how long `store` takes. */
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
