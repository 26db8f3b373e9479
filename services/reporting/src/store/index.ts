export { postgresStore } from "./postgres.ts";
export type { ReportingStore } from "./store.ts";
export { measuredStore } from "./telemetry.ts";
