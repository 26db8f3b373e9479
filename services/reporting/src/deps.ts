import type { ReportingStore } from "./store/store.ts";

/** What reporting's handlers stand on; each takes what it needs. */
export interface Deps {
  readonly store: ReportingStore;
}
