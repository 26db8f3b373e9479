import { toJson } from "@bufbuild/protobuf";
import { type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import type { FieldViolation } from "@ems/kit/errors";
import { expected } from "@ems/kit/json/issue-messages";
import { readTimestamp } from "@ems/kit/json/timestamp";
import type { Column, ColumnType } from "../sources/index.ts";
import { daysWhere, readDay } from "./dates.ts";
import { complement, type Intervals, intersection } from "./intervals.ts";
import type { Path } from "./lookup.ts";
import type { Comparison } from "./plan.ts";

export type FilterValue = string | number | boolean | Moment;

/** A calendar date as its local midnight, or a millisecond; `isBeyond` when it had a fraction of one. */
export type Moment = { readonly day: number } | { readonly ms: number; readonly isBeyond: boolean };

/** A value of the type; undefined when it is none, which is a fault. */
export function readValue(
  type: ColumnType,
  value: Value,
  column: Column | undefined,
  path: Path,
  faults: FieldViolation[],
): FilterValue | undefined {
  const json = toJson(ValueSchema, value);
  const jsonType = type === "date" ? "string" : type;
  if (typeof json !== jsonType) {
    faults.push({ path, code: "invalid_type", message: expected(jsonType, json) });
    return undefined;
  }
  if (typeof json !== "string") return typeof json === "number" || typeof json === "boolean" ? json : undefined;
  const isUuid = column?.storage.kind === "uuid";
  const found = type === "date" ? readMoment(json) : !isUuid || uuid.test(json) ? json : undefined;
  if (found === undefined) {
    faults.push({ path, code: "invalid_string", message: type === "date" ? "Invalid date" : "Invalid UUID" });
  }
  return found;
}

/** The rule (ems.rest.v1.id). */
const uuid =
  /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|00000000-0000-0000-0000-000000000000|f{8}-f{4}-f{4}-f{4}-f{12})$/i;

function readMoment(text: string): Moment | undefined {
  const day = readDay(text);
  if (day !== undefined) return { day };
  const moment = readTimestamp(text);
  if (moment === undefined) return undefined;
  const ms = Number(moment.seconds) * 1000 + Math.floor(moment.nanos / 1e6);
  return { ms, isBeyond: moment.nanos % 1e6 !== 0 };
}

/** The moments that compare so to the operands; a calendar date stands for its whole day. */
export function intervalsOf(zone: string, operator: Comparison, [first, second]: readonly Moment[]): Intervals {
  if (first === undefined) return [];
  const where = (moment: Moment, matches: (side: number) => boolean) =>
    "day" in moment ? daysWhere(zone, moment.day, matches) : momentsWhere(moment, matches);
  switch (operator) {
    case "eq":
      return where(first, (side) => side === 0);
    case "neq":
      return complement(where(first, (side) => side === 0));
    case "gt":
      return where(first, (side) => side > 0);
    case "gte":
      return where(first, (side) => side >= 0);
    case "lt":
      return where(first, (side) => side < 0);
    case "lte":
      return where(first, (side) => side <= 0);
    case "between": {
      const lower = where(first, (side) => side >= 0);
      return second === undefined
        ? []
        : intersection(
            lower,
            where(second, (side) => side <= 0),
          );
    }
  }
}

/** Rows have whole milliseconds, so none equals a moment with a fraction of one. */
function momentsWhere(
  { ms, isBeyond }: { readonly ms: number; readonly isBeyond: boolean },
  matches: (side: number) => boolean,
): Intervals {
  const [start, end] = isBeyond ? [ms + 1, ms + 1] : [ms, ms + 1];
  const [before, on, after] = [matches(-1), matches(0), matches(1)];
  const from = before ? Number.NEGATIVE_INFINITY : on ? start : end;
  const to = after ? Number.POSITIVE_INFINITY : on ? end : start;
  return from < to ? [{ from, to }] : [];
}
