import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { readList } from "../api/query.ts";
import { readInterval, readNumber, readReference } from "../reports/query.ts";
import { count } from "../ui/format.ts";
import { Rate } from "../ui/rate.tsx";
import { Section } from "../ui/section.tsx";
import { ErrorState } from "../ui/states.tsx";
import type { Column } from "../ui/table/columns.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import type { DayRange } from "../url/day-range.ts";
import { worstTopics } from "./overview-requests.ts";
import { topicColumn } from "./topic-column.tsx";

interface TopicRow {
  readonly id: string;
  readonly name: string;
  readonly rate: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly tests: number | null;
}

const columns: readonly Column<TopicRow>[] = [
  topicColumn,
  {
    id: "rate",
    label: "Pass rate",
    isNumber: true,
    cell: ({ rate, low, high, tests }) => <Rate rate={rate} low={low} high={high} n={tests} />,
  },
  { id: "tests", label: "Tests", isNumber: true, cell: ({ tests }) => count(tests) },
];

export function WorstTopics({ range }: { readonly range: Required<DayRange> }) {
  const { data, error, refetch } = useQuery(readList(worstTopics(range)));
  const rows = data?.data?.results.flatMap((row): TopicRow[] => {
    const topic = readReference(row, "topicId");
    const interval = readInterval(row, "interval_passed");
    if (topic === null) return [];
    return [
      {
        ...topic,
        rate: readNumber(row, "avg_passed"),
        low: interval?.low ?? null,
        high: interval?.high ?? null,
        tests: readNumber(row, "count"),
      },
    ];
  });
  return (
    <Section title="Worst topics" description="By pass rate in the selected range">
      {error !== null && data === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : rows?.length === 0 ? (
        <Text size="sm" c="dimmed">
          No topics tested on these days
        </Text>
      ) : (
        <DataTable label="Worst topics" columns={columns} rows={rows} skeletonRows={6} />
      )}
    </Section>
  );
}
