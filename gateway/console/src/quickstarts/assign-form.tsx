// Assigns many topics at once, or gives assignments to another person.

import { MultiSelect, Select } from "@mantine/core";
import { useState } from "react";
import { issuesByField } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import { useUserChoices } from "../settings/user-choices.ts";
import { useTopicChoices } from "../topics/topic-names.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { plural, words } from "../ui/format.ts";
import { createAssignments, reassign, refreshedByQuickstarts, stages } from "./quickstart-requests.ts";

const stageChoices = stages.map((value) => ({ value, label: words(value) }));

interface AssignFormProps {
  readonly quickstartId: string;
  readonly onClose: () => void;
}

export function AssignForm({ quickstartId, onClose }: AssignFormProps) {
  const [topics, users] = [useTopicChoices(), useUserChoices()];
  const [topicIds, setTopicIds] = useState<string[]>([]);
  const [stage, setStage] = useState<(typeof stages)[number]>("KB_REVIEW");
  const [person, setPerson] = useState<string | null>(null);
  const { mutate, isPending, error } = useChange(createAssignments, {
    refreshes: refreshedByQuickstarts,
    onDone: onClose,
  });
  const save = () => {
    const assignedTo = person ?? "";
    mutate({ id: quickstartId, assignments: topicIds.map((topicId) => ({ topicId, stage, assignedTo })) });
  };
  return (
    <FormModal
      title="Assign topics"
      submitLabel="Assign"
      isOpen
      onClose={onClose}
      onSubmit={save}
      isSaving={isPending}
      error={error}
    >
      <MultiSelect
        label="Topics"
        searchable
        clearable
        clearButtonProps={{ "aria-label": "No topics" }}
        data={topics}
        value={topicIds}
        onChange={setTopicIds}
      />
      <Select
        label="Stage"
        allowDeselect={false}
        data={stageChoices}
        value={stage}
        onChange={(value) => setStage(stages.find((each) => each === value) ?? "KB_REVIEW")}
      />
      <Person users={users} value={person} error={issuesByField(error).assignedTo} onChange={setPerson} />
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
  const users = useUserChoices();
  const [person, setPerson] = useState<string | null>(null);
  const { mutate, isPending, error } = useChange(reassign, {
    refreshes: refreshedByQuickstarts,
    onDone: () => {
      onClose();
      onDone();
    },
  });
  return (
    <FormModal
      title={`Assign ${plural(ids.length, "review")} to another person`}
      submitLabel="Assign"
      isOpen
      onClose={onClose}
      onSubmit={() => mutate({ id: quickstartId, ids: [...ids], assignedTo: person ?? "" })}
      isSaving={isPending}
      error={error}
    >
      <Person users={users} value={person} error={issuesByField(error).assignedTo} onChange={setPerson} />
    </FormModal>
  );
}

interface PersonProps {
  readonly users: ReturnType<typeof useUserChoices>;
  readonly value: string | null;
  readonly error: string | undefined;
  readonly onChange: (value: string | null) => void;
}

function Person({ users, value, error, onChange }: PersonProps) {
  return <Select label="Person" searchable required data={users} value={value} error={error} onChange={onChange} />;
}
