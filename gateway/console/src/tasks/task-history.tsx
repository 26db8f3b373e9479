// Chart of a task's pass rate by run. A click on a point opens the run.

import { Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { read } from "../api/query.ts";
import { RateChart } from "../charts/rate-chart.tsx";
import { queryReport, type ReportQuery, type Row, readInterval, readNumber, textOfColumn } from "../reports/query.ts";
import { useRetained } from "../retention/use-retained.ts";
import { localDate } from "../ui/format.ts";
import { viewerZone } from "../ui/locale.ts";
import { Section } from "../ui/section.tsx";
import { ErrorState } from "../ui/states.tsx";

const runsMax = 40;

/** Request for the task's latest runs. Excludes days past retention, which have daily totals but no runs. */
const history = (taskId: string, firstDay: string | undefined) => {
  const filters: ReportQuery["filters"] = [
    { type: "string", column: "taskId", operator: "eq", value: [taskId] },
    { type: "string", column: "runType", operator: "neq", value: ["EXPERIMENT"] },
  ];
  if (firstDay !== undefined) filters.push({ type: "date", column: "createdAt", operator: "gte", value: [firstDay] });
  return queryReport({
    datasource: "test",
    timezone: viewerZone,
    filters,
    groupBy: [
      { column: "runId", type: "string" },
      { column: "createdAt", type: "date", dateTrunc: "day" },
    ],
    measurements: [{ type: "count" }, { type: "avg", column: "passed" }, { type: "interval", column: "passed" }],
    orderBy: [{ column: "createdAt", direction: "desc" }],
    limit: runsMax,
  });
};

/** Compares rows by day, then by run id, which contains the creation time. */
function byTime(left: Row, right: Row): number {
  const [a, b] = [left, right].map((row) => `${textOfColumn(row, "createdAt")} ${textOfColumn(row, "runId")}`);
  return (a ?? "") < (b ?? "") ? -1 : 1;
}

export function TaskHistory({ taskId }: { readonly taskId: string }) {
  const navigate = useNavigate();
  const { retained, isPending } = useRetained("results");
  const { data, error, refetch } = useQuery({ ...read(history(taskId, retained?.firstDay)), enabled: !isPending });
  const rows = useMemo(() => (data?.data?.results ?? []).toSorted(byTime), [data]);
  const points = useMemo(
    () =>
      rows.map((row) => {
        const interval = readInterval(row, "interval_passed");
        return {
          label: localDate(textOfColumn(row, "createdAt") ?? ""),
          rate: readNumber(row, "avg_passed"),
          low: interval?.low ?? null,
          high: interval?.high ?? null,
          n: interval?.n ?? readNumber(row, "count") ?? 0,
        };
      }),
    [rows],
  );
  const open = useCallback(
    (index: number) => {
      const runId = textOfColumn(rows[index] ?? {}, "runId");
      if (runId !== null) void navigate({ to: "/runs/$runId", params: { runId } });
    },
    [rows, navigate],
  );
  return (
    <Section title="History" description="Pass rate by run, with 95 % interval; without experiments">
      {error !== null && data === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={220} />
      ) : points.length === 0 ? (
        <Text size="sm" c="dimmed">
          Not tested yet
        </Text>
      ) : (
        <RateChart label={`Pass rate of the latest ${points.length} runs`} points={points} onPoint={open} />
      )}
    </Section>
  );
}
