// Charts of the daily pass rate and the number of tests per day.

import { Skeleton, Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useCallback, useMemo } from "react";
import { CountChart } from "../charts/count-chart.tsx";
import { RateChart, type RatePoint } from "../charts/rate-chart.tsx";
import { bucketLabel, readInterval, readNumber, rowsByDay } from "../reports/query.ts";
import { Section } from "../ui/section.tsx";
import { ErrorState } from "../ui/states.tsx";
import { type DayRange, everyDay } from "../url/day-range.ts";
import classes from "./overview.module.css";
import { type byDay, daysMax } from "./overview-requests.ts";

interface SeriesProps {
  readonly series: UseQueryResult<NonNullable<ReturnType<typeof byDay>["response"]>>;
  readonly range: Required<DayRange>;
}

const height = 220;

interface DayPoint extends RatePoint {
  /** Date in the viewer's time zone. */
  readonly day: string;
}

function usePoints({ series, range: { from, to } }: SeriesProps): DayPoint[] {
  const results = series.data?.data?.results;
  return useMemo(() => {
    if (results === undefined || results.length === 0) return [];
    const rows = rowsByDay(results);
    return everyDay({ from, to }, daysMax).map((day) => {
      const row = rows.get(day) ?? {};
      const interval = readInterval(row, "interval_passed");
      return {
        day,
        label: bucketLabel(`${day}T12:00:00`),
        rate: readNumber(row, "avg_passed"),
        low: interval?.low ?? null,
        high: interval?.high ?? null,
        n: readNumber(row, "count") ?? 0,
      };
    });
  }, [results, from, to]);
}

interface ChartProps extends SeriesProps {
  /** Called with the days that a click or a drag selects. */
  readonly onDays: (days: Required<DayRange>) => void;
}

export function RateByDay(props: ChartProps) {
  const points = usePoints(props);
  const open = useDays(points, props);
  return (
    <Section title="Daily pass rate" description="With 95 % interval">
      <Frame {...props} isEmpty={points.length === 0}>
        <RateChart
          label={`Daily pass rate, ${points.length} days`}
          points={points}
          height={height}
          onPoint={open}
          onRange={open}
        />
      </Frame>
    </Section>
  );
}

export function TestsByDay(props: ChartProps) {
  const points = usePoints(props);
  const open = useDays(points, props);
  return (
    <Section title="Tests per day" description="Without experiments">
      <Frame {...props} isEmpty={points.length === 0}>
        <CountChart label={`Tests per day, ${points.length} days`} points={points} height={height} onRange={open} />
      </Frame>
    </Section>
  );
}

/** Returns a callback that selects days by the indices of the first and last point. */
function useDays(points: readonly DayPoint[], { onDays }: ChartProps) {
  return useCallback(
    (first: number, last = first) => {
      // Clamp the indices, because a drag may begin or end outside the axis.
      const [from, to] = [points[Math.max(first, 0)]?.day, points[Math.min(last, points.length - 1)]?.day];
      if (from !== undefined && to !== undefined) onDays({ from, to });
    },
    [points, onDays],
  );
}

function Frame({ series, isEmpty, children }: SeriesProps & { isEmpty: boolean; children: ReactNode }) {
  if (series.error !== null && series.data === undefined) {
    return <ErrorState error={series.error} onRetry={() => void series.refetch()} />;
  }
  if (series.data === undefined) return <Skeleton height={height} />;
  if (!isEmpty) return children;
  return (
    <div className={classes.none} style={{ height }}>
      <Text size="sm" c="dimmed">
        No tests on these days
      </Text>
    </div>
  );
}
