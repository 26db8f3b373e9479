export { type EdgeSource, edgeReader } from "./read-edge.ts";
export {
  finiteNumber,
  type Money,
  money,
  moneyMax,
  nameMax,
  type Parse,
  type ShortName,
  shortName,
  type TimeMs,
  type TokenCount,
  timeMs,
  tokenCount,
  tokenCountMax,
} from "./values.ts";
