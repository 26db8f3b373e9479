import { Radio, Stack } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useChange } from "../api/query.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { labels, refreshedByDocumentTests, triggerDocumentTest, types } from "./document-test-requests.ts";

const explained: typeof labels = {
  KNOWLEDGE_COVERAGE: "Do the documents have what each active task needs?",
  MECE: "Which documents say the same, and which contradict each other? Contradictions come to review.",
  DOCS_TO_TASKS_MAPPING: "Which tasks does each document serve?",
};

interface TriggerFormProps {
  readonly onClose: () => void;
}

export function TriggerForm({ onClose }: TriggerFormProps) {
  const navigate = useNavigate();
  const [type, setType] = useState<(typeof types)[number]>(types[0]);
  const { mutate, isPending, error } = useChange(triggerDocumentTest, {
    refreshes: refreshedByDocumentTests,
    onDone: ({ data }) => void navigate({ to: "/document-tests/$documentTestId", params: { documentTestId: data.id } }),
  });
  return (
    <FormModal
      title="Test the documents"
      submitLabel="Start"
      isOpen
      onClose={onClose}
      onSubmit={() => mutate({ type })}
      isSaving={isPending}
      error={error}
    >
      <Radio.Group
        label="What to look for"
        description="The application's model is asked, within its limits and budgets"
        value={type}
        onChange={(value) => setType(types.find((one) => one === value) ?? types[0])}
      >
        <Stack gap="xs" mt="xs">
          {types.map((one, index) => (
            <Radio
              key={one}
              value={one}
              label={labels[one]}
              description={explained[one]}
              {...(index === 0 && { "data-autofocus": true })}
            />
          ))}
        </Stack>
      </Radio.Group>
    </FormModal>
  );
}
