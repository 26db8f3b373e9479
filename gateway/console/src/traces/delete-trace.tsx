import { useDisclosure } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { Trash2 } from "lucide-react";
import { useChange } from "../api/query.ts";
import { ActionButton } from "../ui/action.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { plural } from "../ui/format.ts";
import { deleteTrace, refreshedByDeletions, type Trace } from "./trace-requests.ts";

export function DeleteTrace({ trace }: { readonly trace: Trace }) {
  const navigate = useNavigate();
  const [isOpen, { open, close }] = useDisclosure();
  const { mutate, isPending, error } = useChange(deleteTrace, {
    refreshes: refreshedByDeletions,
    onDone: () => void navigate({ to: "/traces" }),
  });
  return (
    <>
      <ActionButton
        operation="DELETE /v0/traces/{id}"
        variant="default"
        leftSection={<Trash2 size={14} />}
        onClick={open}
      >
        Delete
      </ActionButton>
      {isOpen && (
        <Confirm
          title="Delete this trace?"
          confirmLabel="Delete"
          isOpen
          onClose={close}
          onConfirm={() => mutate(trace.id)}
          isSaving={isPending}
          error={error}
        >
          The trace, its {plural(trace.stepCount, "step")}, and the texts of its evaluations cannot be restored. Tasks
          and issues made from it keep their texts.
        </Confirm>
      )}
    </>
  );
}
