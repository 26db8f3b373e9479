import { histogram } from "@ems/kit/telemetry/metrics";
import type { ReportingStore } from "./store.ts";

const observe = histogram({
  name: "ems_reporting_query_duration_seconds",
  help: "How long reports took to be read, by what they are about.",
  labels: ["datasource"],
});

/** Observes how long `store` takes. */
export function measuredStore(store: ReportingStore): ReportingStore {
  return {
    async run(call, plan) {
      const startedMs = performance.now();
      try {
        return await store.run(call, plan);
      } finally {
        observe({ datasource: plan.source.id }, performance.now() - startedMs);
      }
    },
  };
}
