import { Radio, Stack } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useNew } from "../edits/use-new.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { labels, refreshedByDocumentTests, triggerDocumentTest, types } from "./document-test-requests.ts";

const explained: typeof labels = {
  KNOWLEDGE_COVERAGE: "Do the documents cover each active task?",
  MECE: "Which documents overlap or contradict each other? Contradictions go to review.",
  DOCS_TO_TASKS_MAPPING: "Which tasks does each document cover?",
};

interface TriggerFormProps {
  readonly onClose: () => void;
}

export function TriggerForm({ onClose }: TriggerFormProps) {
  const navigate = useNavigate();
  const form = useNew({
    newDraft: (): { type: (typeof types)[number] } => ({ type: types[0] }),
    create: triggerDocumentTest,
    refreshes: refreshedByDocumentTests,
    onCreated: ({ data }) =>
      void navigate({ to: "/document-tests/$documentTestId", params: { documentTestId: data.id } }),
  });
  return (
    <FormModal title="New document test" {...form.modal} submitLabel="Start" onClose={onClose}>
      <Radio.Group
        label="Test type"
        description="Uses the application's model, within its limits and budgets"
        {...form.input("type")}
      >
        <Stack gap="xs" mt="xs">
          {types.map((value, index) => (
            <Radio
              key={value}
              value={value}
              label={labels[value]}
              description={explained[value]}
              {...(index === 0 && { "data-autofocus": true })}
            />
          ))}
        </Stack>
      </Radio.Group>
    </FormModal>
  );
}
