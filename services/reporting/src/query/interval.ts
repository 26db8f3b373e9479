import type { JsonObject } from "@bufbuild/protobuf";
import { meanInterval, rateInterval } from "@ems/kit/statistics";
import type { Column } from "../sources/index.ts";
import { quotient, variance } from "./numbers.ts";

/**
 * The interval of 95 % of a boolean column's rate (Wilson), or of a number column's mean (Student's t), with the number of values.
 * Null where the values say nothing of it: a single number, or equal ones.
 */
export function intervalOf(column: Column, count: bigint, sum: string, squares: string): JsonObject | null {
  const n = Number(count);
  const interval = column.type === "boolean" ? rateInterval(Number(sum), n) : meanOf(column, count, sum, squares);
  return interval === undefined ? null : { low: interval.low, high: interval.high, n };
}

function meanOf({ storage }: Column, count: bigint, sum: string, squares: string) {
  if (count < 2n) return undefined;
  const scale = storage.kind === "scaled" ? storage.scale : 0;
  const standardError = Math.sqrt(variance(count, sum, squares, scale) / Number(count));
  return meanInterval(quotient(sum, count, scale), standardError, Number(count) - 1);
}
