export { applicationsWith } from "./applications.ts";
export { keptSince, notBefore, type OnDeleted, type Retained } from "./kinds.ts";
export {
  beginDeletion,
  clearMonths,
  deleteInterval,
  dropEmptied,
  type MonthlyRows,
  type MonthsDeps,
} from "./months.ts";
export { Retention } from "./retention.ts";
