export { ReadBudget, type ReadLimits, type ReadPosition, type UnreadableReason, UnreadableText } from "./budget.ts";
export { Pace } from "./pace.ts";
