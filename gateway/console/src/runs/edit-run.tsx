// Form to change a run's name, version, commit and notes.

import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Pencil } from "lucide-react";
import type { Loaded } from "../api/conditional.ts";
import { readVersion } from "../api/query.ts";
import { fieldFor } from "../edits/fields.ts";
import { useEdit } from "../edits/use-edit.ts";
import { ActionButton } from "../ui/action.tsx";
import { FormModal } from "../ui/form-modal.tsx";
import { LongTextField, TextField } from "../ui/text-field.tsx";
import { getRun, type Run, updateRun } from "./run-requests.ts";

const toDraft = ({ name, version, commit, notes }: Run) => ({
  name,
  version: version ?? "",
  commit: commit ?? "",
  notes: notes ?? "",
});
type RunDraft = ReturnType<typeof toDraft>;

const field = fieldFor<RunDraft>();
const fields = [field("name", "Name"), field("version", "Version"), field("commit", "Commit"), field("notes", "Notes")];
const refreshedByRuns = ["/v0/runs"] as const;

/** Button that opens the form. */
export function EditRun({ id }: Pick<Run, "id">) {
  const [isEditing, edit] = useDisclosure();
  const request = getRun(id);
  const { data } = useQuery(readVersion(request));
  return (
    <>
      <ActionButton
        operation="PUT /v0/runs/{id}"
        variant="default"
        leftSection={<Pencil size={14} />}
        onClick={edit.open}
      >
        Edit
      </ActionButton>
      {isEditing && data !== undefined && <RunForm loaded={{ ...data, request }} onClose={edit.close} />}
    </>
  );
}

interface RunFormProps {
  readonly loaded: Loaded<{ readonly run: Run }>;
  readonly onClose: () => void;
}

function RunForm({ loaded, onClose }: RunFormProps) {
  const edit = useEdit({
    loaded,
    toDraft: ({ run }) => toDraft(run),
    fields,
    makeRequest: ({ name, version, commit, notes }, { run: { id } }) =>
      updateRun({ id, name, version: version || null, commit: commit || null, notes: notes || null }),
    refreshes: refreshedByRuns,
    onSaved: onClose,
  });
  return (
    <FormModal title="Edit run" {...edit.modal} onClose={onClose}>
      <TextField label="Name" data-autofocus required {...edit.input("name")} />
      <TextField label="Version" description="Release or branch of the application" {...edit.input("version")} />
      <TextField label="Commit" {...edit.input("commit")} />
      <LongTextField label="Notes" {...edit.input("notes")} />
    </FormModal>
  );
}
