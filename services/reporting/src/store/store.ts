import type { Call } from "@ems/kit/rpc/call";
import type { Plan } from "../query/plan.ts";
import type { Found, Names } from "../query/present.ts";

/** What a plan came to. */
export interface Answer {
  /** The page: values by the names of `keysOf` and `statesOf`. */
  readonly rows: readonly Found[];
  /** Rows or groups in all. */
  readonly total: number;
  /** What the page's references are called. */
  readonly names: Names;
  /** Whether it was read off sums by day, at least for the most part, or from the rows themselves. */
  readonly from: "sums" | "rows";
}

/** What answers plans. PostgreSQL does; a columnar engine could, and nothing before this line would know. */
export interface ReportingStore {
  /** Sees one state of the data. Ends when the call does. */
  run(call: Call, plan: Plan): Promise<Answer>;
}
