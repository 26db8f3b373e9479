import { TagList } from "../tags/tag-list.tsx";
import { count, missing, words } from "../ui/format.ts";
import { AnchorLink, RowLink } from "../ui/link.tsx";
import { Rate } from "../ui/rate.tsx";
import type { Column } from "../ui/table/columns.ts";
import { idColumn, statusColumn, timeColumn } from "../ui/table/usual-columns.tsx";
import { Time } from "../ui/time.tsx";
import type { ListedTask } from "./task-requests.ts";

export const taskColumns = (topics: ReadonlyMap<string, string>): readonly Column<ListedTask>[] => [
  {
    id: "title",
    label: "Title",
    orderBy: "title",
    isFixed: true,
    width: 240,
    cell: ({ id, title }) => (
      <RowLink to="/tasks/$taskId" params={{ taskId: id }}>
        {title}
      </RowLink>
    ),
  },
  {
    id: "topic",
    label: "Topic",
    width: 190,
    cell: ({ topicId }) =>
      topicId === null ? (
        missing
      ) : (
        <AnchorLink to="/topics/$topicId" params={{ topicId }} inherit>
          {topics.get(topicId) ?? "…"}
        </AnchorLink>
      ),
  },
  statusColumn(),
  { id: "type", label: "Type", orderBy: "type", isOptional: true, cell: ({ type }) => words(type) },
  {
    id: "passRate",
    label: "Pass rate, 30 days",
    isNumber: true,
    cell: ({ combined }) => <MetricsRate metrics={combined} />,
  },
  { id: "tests", label: "Tests", isNumber: true, cell: ({ combined }) => count(combined?.tests) },
  {
    id: "health",
    label: "Health",
    isNumber: true,
    cell: ({ combined }) => (combined?.healthScore == null ? missing : Math.round(combined.healthScore)),
  },
  {
    id: "confidence",
    label: "Confidence",
    isOptional: true,
    cell: ({ combined }) => words(combined?.confidence?.level),
  },
  {
    id: "monitoring",
    label: "Live pass rate",
    isNumber: true,
    isOptional: true,
    cell: ({ monitoring }) => <MetricsRate metrics={monitoring} />,
  },
  { id: "tags", label: "Tags", width: 120, cell: ({ tags }) => <TagList tags={tags} /> },
  timeColumn("lastTest", "Last test"),
  {
    id: "nextRun",
    label: "Next run",
    isOptional: true,
    cell: ({ taskSchedule }) => <Time value={taskSchedule?.nextRunAt} />,
  },
  timeColumn("modifiedAt", "Changed", { isOptional: true }),
  idColumn,
];

/** Shows the pass rate of a group of tests. The API returns this rate in percent. */
export function MetricsRate({ metrics }: { readonly metrics: ListedTask["combined"] }) {
  const { lower, upper } = metrics?.confidence?.interval ?? {};
  const rate = metrics?.passRate;
  return (
    <Rate
      rate={rate == null ? null : rate / 100}
      low={lower === undefined ? null : lower / 100}
      high={upper === undefined ? null : upper / 100}
      n={metrics?.tests}
    />
  );
}
