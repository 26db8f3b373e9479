import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { read } from "../api/query.ts";
import { ErrorState } from "../ui/states.tsx";
import { DataTable } from "../ui/table/data-table.tsx";
import { deliveryDetails } from "./attempts.tsx";
import { deliveryColumns } from "./delivery-columns.tsx";
import type { listDeliveries } from "./webhook-requests.ts";

interface DeliveryTableProps {
  readonly request: ReturnType<typeof listDeliveries>;
  /** Text for an empty list. */
  readonly children: ReactNode;
}

/** Table of the first deliveries in a list. */
export function DeliveryTable({ request, children }: DeliveryTableProps) {
  const { data, error, refetch } = useQuery(read(request));
  if (error !== null && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data?.data.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {children}
      </Text>
    );
  }
  return (
    <DataTable
      label="Deliveries"
      columns={deliveryColumns}
      rows={data?.data}
      details={deliveryDetails}
      skeletonRows={5}
    />
  );
}
