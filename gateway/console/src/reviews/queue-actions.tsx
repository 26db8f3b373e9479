// What can be done with a review queue: somebody else takes it over, or it goes.

import { Group, Select } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { issuesByField } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import { useUserChoices } from "../settings/user-choices.ts";
import { ActionButton } from "../ui/action.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { FormModal } from "../ui/form-modal.tsx";
import { plural } from "../ui/format.ts";
import { deleteQueue, type Queue, refreshedByReviews, updateQueue } from "./review-requests.ts";

export function QueueActions({ queue }: { readonly queue: Queue }) {
  const navigate = useNavigate();
  const [isReassigning, reassign] = useDisclosure();
  const [isDeleting, confirm] = useDisclosure();
  const removal = useChange(deleteQueue, {
    refreshes: refreshedByReviews,
    onDone: () => void navigate({ to: "/reviews" }),
  });
  return (
    <Group gap="xs">
      <ActionButton
        operation="PUT /v0/human-annotation-queues/{id}"
        variant="default"
        leftSection={<Pencil size={14} />}
        onClick={reassign.open}
      >
        Reassign
      </ActionButton>
      <ActionButton
        operation="DELETE /v0/human-annotation-queues/{id}"
        variant="default"
        leftSection={<Trash2 size={14} />}
        onClick={confirm.open}
      >
        Delete
      </ActionButton>
      {isReassigning && <ReassignForm queue={queue} onClose={reassign.close} />}
      <Confirm
        title="Delete the queue"
        confirmLabel="Delete"
        isOpen={isDeleting}
        onClose={confirm.close}
        onConfirm={() => removal.mutate(queue.id)}
        isSaving={removal.isPending}
        error={removal.error}
      >
        {`${plural(queue.pendingCount, "trace")} will not wait here any more. What was judged stays.`}
      </Confirm>
    </Group>
  );
}

function ReassignForm({ queue, onClose }: { readonly queue: Queue; readonly onClose: () => void }) {
  const users = useUserChoices();
  const [assigneeId, setAssigneeId] = useState(queue.assigneeId);
  const { mutate, isPending, error } = useChange(updateQueue, { refreshes: refreshedByReviews, onDone: onClose });
  return (
    <FormModal
      title="Reassign the queue"
      isOpen
      onClose={onClose}
      onSubmit={() => mutate({ id: queue.id, assigneeId })}
      isSaving={isPending}
      error={error}
    >
      <Select
        label="Who reviews"
        description="What was judged so far stays"
        searchable
        data-autofocus
        allowDeselect={false}
        data={users}
        value={assigneeId}
        error={issuesByField(error).assigneeId}
        onChange={(value) => value !== null && setAssigneeId(value)}
      />
    </FormModal>
  );
}
