export { postgresStore } from "./postgres.ts";
export { measuredStore, type ReportingStore } from "./store.ts";
