// Lists tasks that passed on only one of the two sides, with links to their tests.

import { Text } from "@mantine/core";
import { Passed } from "../ui/badges.tsx";
import { count, plural, score } from "../ui/format.ts";
import { AnchorLink, RowLink } from "../ui/link.tsx";
import { Section } from "../ui/section.tsx";
import type { Column } from "../ui/table/columns.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { Pager } from "../ui/table/pager.tsx";
import { defaultLimit, type ListSearch } from "../url/list-search.ts";
import type { ChangedTask } from "./comparison-requests.ts";

interface ChangedTasksProps {
  readonly tasks: readonly ChangedTask[];
  /** Names of the two compared sides. */
  readonly names: { readonly baseline: string; readonly variant: string };
  readonly search: ListSearch;
  readonly onSearch: (change: Pick<ListSearch, "skip" | "limit">) => void;
}

/** Maximum number of tasks that the API's response contains. */
const tasksMax = 1_000;

export function ChangedTasks({ tasks, names, search, onSearch }: ChangedTasksProps) {
  const { skip = 0, limit = defaultLimit } = search;
  const rows = tasks.flatMap((row, at) => (row.task === null ? [] : [{ ...row, id: `${row.task.id} ${at}` }]));
  const better = tasks.filter(({ variant }) => variant?.passed).length;
  const more = tasks.length < tasksMax ? "" : ` Only the first ${count(tasksMax)} are listed.`;
  return (
    <Section
      title="Fixed and regressed tasks"
      description={`${plural(better, "task")} fixed in ${names.variant}, ${count(tasks.length - better)} regressed.${more}`}
    >
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          No task changed: each common task passed in both, or failed in both.
        </Text>
      ) : (
        <>
          <DataTable
            label="Fixed and regressed tasks"
            columns={buildColumns(names)}
            rows={rows.slice(skip, skip + limit)}
          />
          {rows.length > defaultLimit && <Pager search={search} total={rows.length} onChange={onSearch} />}
        </>
      )}
    </Section>
  );
}

function buildColumns({
  baseline,
  variant,
}: ChangedTasksProps["names"]): readonly Column<ChangedTask & { id: string }>[] {
  return [
    {
      id: "task",
      label: "Task",
      isFixed: true,
      width: 240,
      cell: ({ task }) => (
        <RowLink to="/tasks/$taskId" params={{ taskId: task?.id ?? "" }}>
          {task?.title === "" ? task.id : task?.title}
        </RowLink>
      ),
    },
    { id: "baseline", label: baseline, cell: (row) => <TestLink side={row.baseline} of={baseline} /> },
    { id: "baselineScore", label: "Score", isNumber: true, cell: (row) => score(row.baseline?.score) },
    { id: "variant", label: variant, cell: (row) => <TestLink side={row.variant} of={variant} /> },
    { id: "variantScore", label: "Score", isNumber: true, cell: (row) => score(row.variant?.score) },
  ];
}

function TestLink({ side, of }: { readonly side: ChangedTask["variant"]; readonly of: string }) {
  if (side === null) return <Passed value={null} />;
  return (
    <AnchorLink to="/tests/$testId" params={{ testId: side.testId }} inherit title={`Test in ${of}`}>
      <Passed value={side.passed} />
    </AnchorLink>
  );
}
