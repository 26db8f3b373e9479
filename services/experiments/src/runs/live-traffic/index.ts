export { startMonitoringRunEnds } from "./end-monitoring-runs.ts";
export { judgeLive } from "./judge-live.ts";
