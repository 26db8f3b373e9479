// Deletes the traces of the filtered list: counts them, then asks for confirmation.

import { Skeleton, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { read, useChange } from "../api/query.ts";
import { ActionButton } from "../ui/action.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { plural } from "../ui/format.ts";
import { countTraces, type DeletionCount, deleteTraces, refreshedByDeletions } from "./trace-requests.ts";
import type { TraceSearch } from "./trace-search.ts";

export function DeleteTraces({ search }: { readonly search: TraceSearch }) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <ActionButton
        operation="POST /v0/traces/delete"
        variant="default"
        leftSection={<Trash2 size={14} />}
        onClick={open}
      >
        Delete these traces
      </ActionButton>
      {isOpen && <ConfirmDeletion search={search} onClose={close} />}
    </>
  );
}

interface ConfirmDeletionProps {
  readonly search: TraceSearch;
  readonly onClose: () => void;
}

function ConfirmDeletion({ search, onClose }: ConfirmDeletionProps) {
  const counted = useQuery({ ...read(countTraces(search)), gcTime: 0, staleTime: 0 });
  const { mutate, isPending, error } = useChange((found: DeletionCount) => deleteTraces(search, found), {
    refreshes: refreshedByDeletions,
    onDone: onClose,
  });
  const found = counted.data;
  const isEmpty = found !== undefined && found.count + found.archivedCount === 0;
  return (
    <Confirm
      title="Delete these traces?"
      confirmLabel="Delete"
      isOpen
      onClose={onClose}
      onConfirm={() => (found === undefined || isEmpty ? onClose() : mutate(found))}
      isSaving={isPending || (found === undefined && counted.error === null)}
      error={error ?? counted.error}
    >
      {found === undefined ? (
        counted.error === null && <Skeleton height={64} aria-busy aria-label="Counting" role="status" />
      ) : (
        <Stack gap="xs">
          <span>
            {plural(found.count, "trace")}
            {found.archivedCount > 0 && ` and ${plural(found.archivedCount, "archived trace")}`} of this list are
            deleted in the background and cannot be restored. Tests keep their outcome, score and cost.
          </span>
          {found.taskCount + found.issueCount > 0 && (
            <span>
              {plural(found.taskCount, "task")} and {plural(found.issueCount, "issue")} made from them keep their texts.
            </span>
          )}
        </Stack>
      )}
    </Confirm>
  );
}
