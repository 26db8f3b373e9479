// Totals for the selected date range, and the pass rate in the preceding range.

import { useQuery } from "@tanstack/react-query";
import { readList } from "../api/query.ts";
import { type Interval, readInterval, readNumber } from "../reports/query.ts";
import { reachesPast } from "../retention/retained.ts";
import { useRetained } from "../retention/use-retained.ts";
import { count, dollars, missing, percent, shortCount } from "../ui/format.ts";
import { ErrorState } from "../ui/states.tsx";
import { countDays, type DayRange, neighbor } from "../url/day-range.ts";
import classes from "./overview.module.css";
import { judging, totals } from "./overview-requests.ts";
import { Stat } from "./stat.tsx";

const words = (interval: Interval | null) =>
  interval === null ? "no tests" : `${percent(interval.low)} to ${percent(interval.high)}, n = ${count(interval.n)}`;

function testsNote(row: Parameters<typeof readNumber>[0], days: number): string {
  const errored = readNumber(row, "sum_errored") ?? 0;
  const perDay = `${((readNumber(row, "count") ?? 0) / days).toFixed(1)} per day, without experiments`;
  return errored > 0 ? `${perDay}; ${count(errored)} errored` : perDay;
}

function costNote(sums: Parameters<typeof readNumber>[0]): string {
  const evaluations = `${count(readNumber(sums, "count"))} evaluations`;
  const uncertain = readNumber(sums, "sum_uncertainCost") ?? 0;
  return uncertain > 0 ? `${evaluations}, up to ${dollars(uncertain)} uncertain` : evaluations;
}

function tokensNote(sums: Parameters<typeof readNumber>[0]): string {
  const output = readNumber(sums, "sum_outputTokens");
  if (output === null) return "no model calls";
  const estimated = readNumber(sums, "sum_estimatedTokens") ?? 0;
  const counts = `in, ${shortCount(output)} out`;
  return estimated > 0 ? `${counts}, ${shortCount(estimated)} estimated` : counts;
}

export function Totals({ range }: { readonly range: Required<DayRange> }) {
  const now = useQuery(readList(totals(range)));
  const earlierRange = neighbor(range, -1);
  const isPast = reachesPast(earlierRange, useRetained("results").retained?.firstDay);
  const before = useQuery({ ...readList(totals(earlierRange)), enabled: !isPast });
  const judged = useQuery(readList(judging(range)));
  const failed = [now, ...(isPast ? [] : [before]), judged].filter(
    ({ error, data }) => error !== null && data === undefined,
  );
  if (failed.length > 0) {
    const retry = () => void Promise.all(failed.map(({ refetch }) => refetch()));
    return <ErrorState error={failed[0]?.error} onRetry={retry} />;
  }
  const row = now.data?.data?.results[0];
  const earlier = before.data?.data?.results[0] ?? {};
  const sums = judged.data?.data?.results[0];
  const interval = readInterval(row ?? {}, "interval_passed");
  const rateBefore = readNumber(earlier, "avg_passed");
  return (
    <div className={classes.stats}>
      <Stat
        label="Pass rate, 95 % interval"
        value={row && percent(readNumber(row, "avg_passed"))}
        note={row && words(interval)}
      />
      <Stat
        label={`Pass rate, previous ${countDays(range)} days`}
        value={isPast ? missing : before.data && percent(rateBefore)}
        note={isPast ? "past retention" : before.data && words(readInterval(earlier, "interval_passed"))}
      />
      <Stat
        label="Tests"
        value={row && count(readNumber(row, "count"))}
        note={row && testsNote(row, countDays(range))}
      />
      <Stat label="Judge cost" value={sums && dollars(readNumber(sums, "sum_cost"))} note={sums && costNote(sums)} />
      <Stat
        label="Judge tokens"
        value={sums && shortCount(readNumber(sums, "sum_inputTokens"))}
        note={sums && tokensNote(sums)}
      />
    </div>
  );
}
