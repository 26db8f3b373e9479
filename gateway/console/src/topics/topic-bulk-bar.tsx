import { messageOfError } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import { ActionButton } from "../ui/action.tsx";
import { BulkBar } from "../ui/bulk-bar.tsx";
import type { BulkBarProps } from "../ui/list-page.tsx";
import { refreshedByTopics, updateTopics } from "./topic-requests.ts";

const changes = [
  { label: "Set active", body: { status: "ACTIVE" } },
  { label: "Set draft", body: { status: "DRAFT" } },
  { label: "In scope", body: { isInScope: true } },
  { label: "Out of scope", body: { isInScope: false } },
  { label: "Tasks verified", body: { isTasksVerified: true } },
] as const;

export function TopicBulkBar({ ids, onSelect }: BulkBarProps) {
  const change = useChange(updateTopics, { refreshes: refreshedByTopics, onDone: () => onSelect([]) });
  return (
    <BulkBar count={ids.length} noun="topic" error={change.error === null ? undefined : messageOfError(change.error)}>
      {changes.map(({ label, body }) => (
        <ActionButton
          operation="PATCH /v0/topics"
          key={label}
          variant="default"
          size="compact-xs"
          disabled={change.isPending}
          onClick={() => change.mutate({ topicIds: [...ids], ...body })}
        >
          {label}
        </ActionButton>
      ))}
    </BulkBar>
  );
}
