// Form that assigns several topics to a person, or reassigns them to another person.

import { Select } from "@mantine/core";
import { useNew } from "../edits/use-new.ts";
import { useUsers } from "../settings/user-choices.ts";
import { useTopics } from "../topics/topic-names.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { plural, words } from "../ui/format.ts";
import { MultiPicker, Picker } from "../ui/pick/picker.tsx";
import { createAssignments, reassign, refreshedByQuickstarts, stages } from "./quickstart-requests.ts";

const stageChoices = stages.map((value) => ({ value, label: words(value) }));

interface AssignDraft {
  readonly topicIds: string[];
  readonly stage: (typeof stages)[number];
  readonly assignedTo: string | null;
}

interface AssignFormProps {
  readonly quickstartId: string;
  readonly onClose: () => void;
}

export function AssignForm({ quickstartId, onClose }: AssignFormProps) {
  const form = useNew({
    newDraft: (): AssignDraft => ({ topicIds: [], stage: "KB_REVIEW", assignedTo: null }),
    create: ({ topicIds, stage, assignedTo }) =>
      createAssignments({
        id: quickstartId,
        assignments: topicIds.map((topicId) => ({ topicId, stage, assignedTo: assignedTo ?? "" })),
      }),
    refreshes: refreshedByQuickstarts,
    onCreated: onClose,
  });
  return (
    <FormModal title="Assign topics" {...form.modal} submitLabel="Assign" onClose={onClose}>
      <MultiPicker
        label="Topics"
        source={useTopics}
        clearable
        clearButtonProps={{ "aria-label": "No topics" }}
        {...form.input("topicIds")}
      />
      <Select label="Stage" allowDeselect={false} data={stageChoices} {...form.input("stage")} />
      <Picker label="Person" required source={useUsers} {...form.input("assignedTo")} />
    </FormModal>
  );
}

interface ReassignFormProps {
  readonly quickstartId: string;
  readonly ids: readonly string[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function ReassignForm({ quickstartId, ids, onClose, onDone }: ReassignFormProps) {
  const form = useNew({
    newDraft: (): Pick<AssignDraft, "assignedTo"> => ({ assignedTo: null }),
    create: ({ assignedTo }) => reassign({ id: quickstartId, ids: [...ids], assignedTo: assignedTo ?? "" }),
    refreshes: refreshedByQuickstarts,
    onCreated: () => {
      onClose();
      onDone();
    },
  });
  const title = `Reassign ${plural(ids.length, "review")}`;
  return (
    <FormModal title={title} {...form.modal} submitLabel="Assign" onClose={onClose}>
      <Picker label="Person" required source={useUsers} {...form.input("assignedTo")} />
    </FormModal>
  );
}
