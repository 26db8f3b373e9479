import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { read } from "../api/query.ts";
import { localTime } from "../ui/format.ts";
import { ErrorState } from "../ui/states.tsx";
import { DataTable } from "../ui/table/data-table.tsx";
import { testColumns } from "./test-columns.tsx";
import { testDetails } from "./test-details.tsx";
import type { listTests } from "./test-requests.ts";

interface TestTableProps {
  readonly request: ReturnType<typeof listTests>;
  /** True on the page of a task, whose tests need no task column. */
  readonly isWithinTask?: boolean;
}

/** Table of the first tests in a list. */
export function TestTable({ request, isWithinTask = false }: TestTableProps) {
  const { data, error, refetch } = useQuery(read(request));
  if (error !== null && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data?.data.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No tests yet
      </Text>
    );
  }
  const columns = isWithinTask ? withoutTask : testColumns;
  return <DataTable label="Latest tests" columns={columns} rows={data?.data} details={testDetails} skeletonRows={5} />;
}

const [first, ...otherColumns] = testColumns;
const executed = otherColumns.find(({ id }) => id === "createdAt");
/** Columns without the task. The time of the test, instead of the task, is the link to the test. */
const withoutTask =
  first === undefined || executed === undefined
    ? testColumns
    : [{ ...first, label: "Executed", cell: renderLink }, ...otherColumns.filter(({ id }) => id !== "createdAt")];

function renderLink(test: Parameters<(typeof testColumns)[number]["cell"]>[0]) {
  return first?.cell({ ...test, task: { id: test.taskId, title: localTime(test.createdAt) } });
}
