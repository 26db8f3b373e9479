import type { JsonObject } from "@bufbuild/protobuf";
import { meanInterval, rateInterval } from "@ems/kit/statistics";
import type { Column } from "../sources/index.ts";
import { quotient, variance } from "./numbers.ts";

/**
 * Computes the 95 % interval of the rate of a boolean column (Wilson), or of the mean of a number column (Student's t),
 * with the number of values. Null for one number or equal numbers, which define no interval.
 */
export function computeInterval(column: Column, count: bigint, sum: string, squares: string): JsonObject | null {
  const n = Number(count);
  const interval = column.type === "boolean" ? rateInterval(Number(sum), n) : computeMean(column, count, sum, squares);
  return interval === undefined ? null : { low: interval.low, high: interval.high, n };
}

function computeMean({ storage }: Column, count: bigint, sum: string, squares: string) {
  if (count < 2n) return undefined;
  const scale = storage.kind === "scaled" ? storage.scale : 0;
  const standardError = Math.sqrt(variance(count, sum, squares, scale) / Number(count));
  return meanInterval(quotient(sum, count, scale), standardError, Number(count) - 1);
}
