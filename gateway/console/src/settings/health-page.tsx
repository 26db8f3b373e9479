import { Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { read } from "../api/query.ts";
import { Status } from "../ui/badges.tsx";
import { Detail } from "../ui/detail.tsx";
import { Page } from "../ui/page.tsx";
import type { Column } from "../ui/table/columns.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { statusColumn } from "../ui/table/usual-columns.tsx";
import { Time } from "../ui/time.tsx";
import { clockFinding } from "./clock-finding.ts";
import { getHealth, type Health, type HealthFinding } from "./settings-requests.ts";

const refreshMs = 30_000;
const request = getHealth();

interface Row extends HealthFinding {
  readonly id: string;
}

const columns: readonly Column<Row>[] = [
  { id: "name", label: "Component", isFixed: true, width: 130, cell: ({ name }) => name },
  statusColumn({ width: 110 }),
  {
    id: "detail",
    label: "Finding and advice",
    width: 360,
    cell: ({ detail, advice }) => (
      <>
        {detail}
        {advice != null && (
          <Text size="xs" c="dimmed">
            {advice}
          </Text>
        )}
      </>
    ),
  },
];

export default function HealthPage() {
  return (
    <Detail request={request} title="Health" refreshMs={() => refreshMs}>
      {({ data }) => <HealthDetail health={data} />}
    </Detail>
  );
}

function HealthDetail({ health }: { readonly health: Health }) {
  const { dataUpdatedAt, isFetching, refetch } = useQuery(read(request));
  const findings = [...health.findings, clockFinding(health.time, dataUpdatedAt)];
  return (
    <Page
      title="Health"
      mark={<Status value={health.status} />}
      description={
        <>
          All services, checked for this application at <Time value={health.time} />
        </>
      }
      requests={[request]}
      actions={
        <Button
          variant="default"
          leftSection={<RefreshCw size={14} />}
          loading={isFetching}
          onClick={() => void refetch()}
        >
          Check now
        </Button>
      }
    >
      <DataTable
        label="Health"
        columns={columns}
        rows={findings.map((finding, at) => ({ ...finding, id: `${at} ${finding.name}` }))}
        skeletonRows={findings.length}
      />
    </Page>
  );
}
