import type { ReportingStore } from "./store/index.ts";

export interface Deps {
  readonly store: ReportingStore;
}
