// Buttons to reassign or delete a review queue.

import { Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { Pencil, Trash2 } from "lucide-react";
import type { Loaded } from "../api/conditional.ts";
import { useChange } from "../api/query.ts";
import { Editing } from "../edits/editing.tsx";
import { chosenFrom, fieldFor } from "../edits/fields.ts";
import { useEdit } from "../edits/use-edit.ts";
import { useUsers } from "../settings/user-choices.ts";
import { ActionButton } from "../ui/action.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { FormModal } from "../ui/form-modal.tsx";
import { plural } from "../ui/format.ts";
import { Picker } from "../ui/pick/picker.tsx";
import { deleteQueue, getQueue, type Queue, refreshedByReviews, updateQueue } from "./review-requests.ts";

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
      {isReassigning && (
        <Editing request={getQueue(queue.id)} title="Reassign queue" onClose={reassign.close}>
          {(loaded) => <ReassignForm loaded={loaded} onClose={reassign.close} />}
        </Editing>
      )}
      <Confirm
        title="Delete this queue?"
        confirmLabel="Delete"
        isOpen={isDeleting}
        onClose={confirm.close}
        onConfirm={() => removal.mutate(queue.id)}
        isSaving={removal.isPending}
        error={removal.error}
      >
        {`${plural(queue.pendingCount, "trace")} will leave the queue. Completed reviews are kept.`}
      </Confirm>
    </Group>
  );
}

const field = fieldFor<Pick<Queue, "assigneeId">>();

interface ReassignFormProps {
  readonly loaded: Loaded<{ readonly data: Queue }>;
  readonly onClose: () => void;
}

function ReassignForm({ loaded, onClose }: ReassignFormProps) {
  const users = useUsers("", [loaded.body.data.assigneeId]).choices;
  const edit = useEdit({
    loaded,
    toDraft: ({ data: { assigneeId } }) => ({ assigneeId }),
    fields: [field("assigneeId", "Reviewer", chosenFrom(users))],
    makeRequest: ({ assigneeId }, { data: { id } }) => updateQueue({ id, assigneeId }),
    refreshes: refreshedByReviews,
    onSaved: onClose,
  });
  return (
    <FormModal title="Reassign queue" {...edit.modal} onClose={onClose}>
      <Picker
        label="Reviewer"
        description="Completed reviews are kept"
        source={useUsers}
        data-autofocus
        allowDeselect={false}
        {...edit.input("assigneeId")}
      />
    </FormModal>
  );
}
