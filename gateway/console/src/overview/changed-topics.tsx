import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { readList } from "../api/query.ts";
import { reachesPast } from "../retention/retained.ts";
import { useRetained } from "../retention/use-retained.ts";
import { percent, points } from "../ui/format.ts";
import { Section } from "../ui/section.tsx";
import { ErrorState } from "../ui/states.tsx";
import type { Column } from "../ui/table/columns.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { neighbor } from "../url/day-range.ts";
import { isClear, listTopicChanges, type TopicChange } from "./changes.ts";
import { byTopic, lastWeek, type Range } from "./overview-requests.ts";
import { topicColumn } from "./topic-column.tsx";

const rowsMax = 6;

const columns: readonly Column<TopicChange>[] = [
  topicColumn,
  {
    id: "rates",
    label: "Pass rate",
    isNumber: true,
    cell: ({ before, now }) => `${percent(before, 0)} to ${percent(now, 0)}`,
  },
  {
    id: "change",
    label: "Points",
    isNumber: true,
    cell: (change) => (
      <span title="95 % interval of the difference">
        <Text span inherit fw={600} {...(isClear(change) && { c: change.now < change.before ? bad : good })}>
          {points(change.now - change.before)}
        </Text>
        <Text span size="xs" c="dimmed" ml={8}>
          {`${points(change.low)} to ${points(change.high)}`}
        </Text>
      </span>
    ),
  },
];
const bad = "var(--ems-bad)";
const good = "var(--ems-good)";

export function ChangedTopics({ range }: { readonly range: Range }) {
  const week = lastWeek(range);
  const weekBefore = neighbor(week, -1);
  const isPast = reachesPast(weekBefore, useRetained("results").retained?.firstDay);
  const now = useQuery({ ...readList(byTopic(week)), enabled: !isPast });
  const before = useQuery({ ...readList(byTopic(weekBefore)), enabled: !isPast });
  const error = now.error ?? before.error;
  const rows =
    now.data &&
    before.data &&
    listTopicChanges(now.data.data?.results ?? [], before.data.data?.results ?? []).slice(0, rowsMax);
  return (
    <Section title="Largest weekly changes" description="Last 7 days compared with the 7 days before; 95 % interval">
      {isPast ? (
        <Text size="sm" c="dimmed">
          The previous week is past its retention period.
        </Text>
      ) : error !== null && rows === undefined ? (
        <ErrorState error={error} onRetry={() => void Promise.all([now.refetch(), before.refetch()])} />
      ) : rows?.length === 0 ? (
        <Text size="sm" c="dimmed">
          No topic changed between the two weeks.
        </Text>
      ) : (
        <DataTable label="Largest weekly changes" columns={columns} rows={rows} skeletonRows={rowsMax} />
      )}
    </Section>
  );
}
