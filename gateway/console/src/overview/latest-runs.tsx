import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { read } from "../api/query.ts";
import { runColumns } from "../runs/run-columns.tsx";
import { isRunning } from "../runs/run-requests.ts";
import { AnchorLink } from "../ui/link.tsx";
import { Section } from "../ui/section.tsx";
import { ErrorState } from "../ui/states.tsx";
import { DataTable } from "../ui/table/data-table.tsx";
import { latestRuns } from "./overview-requests.ts";

/** Polling interval while a run is in progress. */
const refreshMs = 3_000;
const columns = runColumns.filter(({ id }) => ["title", "progress", "rate"].includes(id));

export function LatestRuns() {
  const { data, error, refetch } = useQuery({
    ...read(latestRuns),
    refetchInterval: ({ state }) => (state.data?.body.data.some(isRunning) ? refreshMs : false),
  });
  return (
    <Section
      title="Latest runs"
      actions={
        <AnchorLink to="/runs" size="sm">
          All runs
        </AnchorLink>
      }
    >
      {error !== null && data === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data?.data.length === 0 ? (
        <Text size="sm" c="dimmed">
          No runs yet
        </Text>
      ) : (
        <DataTable label="Latest runs" columns={columns} rows={data?.data} skeletonRows={6} />
      )}
    </Section>
  );
}
