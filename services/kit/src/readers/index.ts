export { ReadBudget, type ReadLimits, type ReadPosition, type UnreadableReason, UnreadableText } from "./budget.ts";
export { Pace } from "./pace.ts";
export {
  makeJsonStorable,
  makeStorable,
  type ReplacementCount,
  type StorableJson,
  type StorableObject,
  type StorableText,
} from "./storable-text.ts";
