// The buckets of a date column: from the first of its dates that the report is of to the last.

import type { Read } from "@ems/kit/db/snapshot";
import { invalidFields } from "@ems/kit/errors";
import { compileExtent } from "../query/compile-rows.ts";
import { isOnTimeline } from "../query/conditions.ts";
import { type DateTrunc, type Tile, tiles } from "../query/dates.ts";
import type { Group, Plan } from "../query/plan.ts";
import { always, intersection, type Ranges } from "../query/ranges.ts";
import { timeOf } from "../query/rollup.ts";

/** More would take longer to tell PostgreSQL than to read rows by. */
const bucketsMax = 100_000;

const hourMs = 3_600_000;
const shortestMs = { hour: hourMs, day: 23 * hourMs, week: 167 * hourMs, month: 28 * 24 * hourMs } as const;

export async function readTiles(
  read: Read,
  applicationId: string,
  plan: Plan,
  group: Group,
  trunc: DateTrunc,
): Promise<Tile[]> {
  const [extent] = await read<{ first: Date | null; last: Date | null }>(
    compileExtent(applicationId, plan, group.column),
  );
  if (!extent?.first || !extent.last) return [];
  const within = intersection(filtered(plan, group), [{ from: extent.first.getTime(), to: extent.last.getTime() + 1 }]);
  const [from, to] = [within[0]?.from, within.at(-1)?.to];
  if (from === undefined || to === undefined) return [];
  const unitMs = trunc === "quarter" || trunc === "year" ? shortestMs.month : shortestMs[trunc];
  if ((to - from) / unitMs > bucketsMax) {
    const path = ["group_by", plan.groups.indexOf(group), "date_trunc"];
    throw invalidFields([
      { path, message: `More than ${bucketsMax} buckets: take a longer dateTrunc, or filter dates` },
    ]);
  }
  return tiles(plan.zone, trunc, { from, to });
}

/** What the plan's filters leave of the column's dates. */
function filtered(plan: Plan, { column }: Group): Ranges {
  if (isOnTimeline(plan.source, column)) return timeOf(plan);
  const filter = plan.filters.find((one) => one.kind === "date" && one.column === column);
  return filter?.kind === "date" ? filter.ranges : always;
}
