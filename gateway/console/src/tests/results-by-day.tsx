// Chart of the test results per day in a list. Dragging over days filters the list.

import { Group, Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { readList } from "../api/query.ts";
import { ResultChart, ResultLegend, type ResultPoint } from "../charts/result-chart.tsx";
import { bucketLabel, queryReport, type ReportQuery, readInterval, readNumber, rowsByDay } from "../reports/query.ts";
import { retainedDays } from "../retention/retained.ts";
import { useRetained } from "../retention/use-retained.ts";
import { viewerZone } from "../ui/locale.ts";
import { ErrorState } from "../ui/states.tsx";
import { type DayRange, everyDay, lastDays } from "../url/day-range.ts";
import classes from "./tests.module.css";

/** Filters of the list that the chart's report query also supports. */
interface Filters {
  readonly status?: readonly string[] | undefined;
  readonly outcome?: readonly string[] | undefined;
  readonly errorCause?: readonly string[] | undefined;
  readonly runType?: readonly string[] | undefined;
  readonly topicId?: readonly string[] | undefined;
  readonly taskId?: readonly string[] | undefined;
}

interface ResultsByDayProps {
  readonly search: DayRange & Filters;
  /** Names of active filters that the chart ignores, so that it includes tests that are not in the list. */
  readonly ignored: readonly string[];
  readonly onDays: (days: Required<DayRange>) => void;
}

const height = 96;
const usualDays = 30;
/** Maximum rows per page in the API. */
const daysMax = 100;
const columns = ["status", "outcome", "errorCause", "runType", "topicId", "taskId"] as const;

const resultsByDay = ({ from, to }: Required<DayRange>, filters: Filters) =>
  queryReport({
    datasource: "test",
    timezone: viewerZone,
    filters: [
      { type: "date", column: "createdAt", operator: "between", value: [from, to] },
      ...columns.flatMap((column): NonNullable<ReportQuery["filters"]> => {
        const value = filters[column];
        return value === undefined ? [] : [{ type: "string", column, operator: "eq", value: [...value] }];
      }),
    ],
    groupBy: [{ column: "createdAt", type: "date", dateTrunc: "day" }],
    measurements: [
      { type: "count" },
      { type: "sum", column: "errored" },
      { type: "avg", column: "passed" },
      { type: "interval", column: "passed" },
    ],
    orderBy: [{ column: "createdAt", direction: "desc" }],
    limit: daysMax,
  });

export function ResultsByDay({ search, ignored, onDays }: ResultsByDayProps) {
  const { retained } = useRetained("results");
  const { from, to } = retainedDays({ ...lastDays(usualDays, search.to), ...defined(search) }, retained?.firstDay);
  const { data, error, refetch } = useQuery(readList(resultsByDay({ from, to }, search)));
  const results = data?.data?.results;
  const days = useMemo(() => everyDay({ from, to }, daysMax), [from, to]);
  const points = useMemo(() => {
    const rows = rowsByDay(results ?? []);
    return days.map((day) => toPoint(day, rows.get(day) ?? {}));
  }, [results, days]);
  const choose = useCallback(
    (first: number, last = first) => {
      const [start, end] = [days[Math.max(first, 0)], days[Math.min(last, days.length - 1)]];
      if (start !== undefined && end !== undefined) onDays({ from: start, to: end });
    },
    [days, onDays],
  );
  if (error !== null && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <figure className={classes.chart}>
      <Group component="figcaption" justify="space-between" gap="xs">
        <Text size="xs" c="dimmed">
          Tests per day{ignored.length > 0 && `, not filtered by ${ignored.join(", ").toLowerCase()}`}
        </Text>
        <ResultLegend />
      </Group>
      {results === undefined ? (
        <Skeleton height={height} />
      ) : (
        <ResultChart
          label={`Test results, ${days.length} days`}
          points={points}
          height={height}
          onPoint={choose}
          onRange={choose}
        />
      )}
    </figure>
  );
}

const defined = ({ from, to }: DayRange) => ({
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
});

function toPoint(day: string, row: Readonly<Record<string, unknown>>): ResultPoint {
  const tests = readNumber(row, "count") ?? 0;
  const judged = readInterval(row, "interval_passed")?.n ?? 0;
  const errored = readNumber(row, "sum_errored") ?? 0;
  const passed = Math.round((readNumber(row, "avg_passed") ?? 0) * judged);
  return {
    label: bucketLabel(`${day}T12:00:00`),
    passed,
    failed: judged - passed,
    errored,
    unjudged: tests - judged - errored,
  };
}
