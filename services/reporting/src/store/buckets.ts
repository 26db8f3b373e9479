import type { Read } from "@ems/kit/db/snapshot";
import { invalidFields } from "@ems/kit/errors";
import {
  allTime,
  type Bucket,
  buckets,
  compileBounds,
  type DateTrunc,
  type Grouping,
  type Intervals,
  intersection,
  type Plan,
  timeBounds,
} from "../query/index.ts";
import { isOnTimeline } from "../sources/index.ts";

/** With more, sending them to PostgreSQL takes longer than reading rows. */
const bucketsMax = 100_000;

const hourMs = 3_600_000;
const shortestMs = { hour: hourMs, day: 23 * hourMs, week: 167 * hourMs, month: 28 * 24 * hourMs } as const;

/** The buckets of a grouping, from the first date that matches the plan to the last. */
export async function readBuckets(
  read: Read,
  applicationId: string,
  plan: Plan,
  grouping: Grouping,
  trunc: DateTrunc,
): Promise<Bucket[]> {
  const [bounds] = await read<{ first: Date | null; last: Date | null }>(
    compileBounds(applicationId, plan, grouping.column),
  );
  if (!bounds?.first || !bounds.last) return [];
  const stored = [{ from: bounds.first.getTime(), to: bounds.last.getTime() + 1 }];
  const within = intersection(requestedBounds(plan, grouping), stored);
  const [from, to] = [within[0]?.from, within.at(-1)?.to];
  if (from === undefined || to === undefined) return [];
  const unitMs = trunc === "quarter" || trunc === "year" ? shortestMs.month : shortestMs[trunc];
  if ((to - from) / unitMs > bucketsMax) {
    const path = ["group_by", plan.groupings.indexOf(grouping), "date_trunc"];
    throw invalidFields([
      { path, message: `More than ${bucketsMax} buckets: take a longer dateTrunc, or filter dates` },
    ]);
  }
  return buckets(plan.zone, trunc, { from, to });
}

/** The column's dates by the plan's filters. */
function requestedBounds(plan: Plan, { column }: Grouping): Intervals {
  if (isOnTimeline(plan.source, column)) return timeBounds(plan);
  const filter = plan.filters.find((one) => one.kind === "date" && one.column === column);
  return filter?.kind === "date" ? filter.intervals : allTime;
}
