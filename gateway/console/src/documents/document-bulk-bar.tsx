import { Text } from "@mantine/core";
import { messageOfError } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import { ActionButton } from "../ui/action.tsx";
import { BulkBar } from "../ui/bulk-bar.tsx";
import { words } from "../ui/format.ts";
import type { BulkBarProps } from "../ui/list-page.tsx";
import { refreshedByDocuments, updateStatus } from "./document-requests.ts";
import { documentStatuses } from "./document-search.ts";

export function DocumentBulkBar({ ids, onSelect }: BulkBarProps) {
  const { mutate, isPending, error, data } = useChange(updateStatus, {
    refreshes: refreshedByDocuments,
    // Keep the rows that failed selected.
    onDone: ({ failed }) => onSelect(failed.map(({ id }) => id)),
  });
  const failed = data?.failed ?? [];
  return (
    <>
      <BulkBar count={ids.length} noun="document" error={error === null ? undefined : messageOfError(error)}>
        {documentStatuses.map((status) => (
          <ActionButton
            operation="POST /v0/documents/status"
            key={status}
            variant="default"
            size="compact-xs"
            disabled={isPending}
            onClick={() => mutate({ documentIds: [...ids], status })}
          >
            {words(status)}
          </ActionButton>
        ))}
      </BulkBar>
      {failed.length > 0 && (
        <Text size="sm" c="var(--ems-bad)" role="alert" component="div">
          {`Not changed: ${failed.map(({ id, reason }) => `${id}: ${reason}`).join("; ")}`}
        </Text>
      )}
    </>
  );
}
