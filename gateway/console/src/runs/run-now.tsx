// Form that starts a run of tasks and then opens the run's page.

import { Checkbox, NumberInput, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { sendForLocation } from "../api/send.ts";
import { useDraft, useIssues } from "../edits/use-draft.ts";
import { triggerTasks } from "../tasks/task-requests.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { newDraft, toRequest, toRunId } from "./run-now-draft.ts";

interface RunNowProps {
  readonly taskIds: readonly string[];
  readonly title: string;
  readonly onClose: () => void;
}

export function RunNow({ taskIds, title, onClose }: RunNowProps) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { draft, setErrors, inputs } = useDraft(() => newDraft);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => sendForLocation(triggerTasks(toRequest(taskIds, draft)), crypto.randomUUID()),
    onSuccess: async (location) => {
      await client.invalidateQueries({ queryKey: ["/v0/runs"] });
      await navigate({ to: "/runs/$runId", params: { runId: toRunId(location) } });
    },
  });
  useIssues({ setErrors }, error);
  return (
    <FormModal
      title={title}
      submitLabel="Run"
      isOpen
      onClose={onClose}
      onSubmit={() => mutate()}
      isSaving={isPending}
      error={error}
    >
      <Text size="sm" c="dimmed">
        Each prompt is sent to the application's webhook; the linked evaluators judge the answers.
      </Text>
      <NumberInput
        label="Tests per prompt"
        data-autofocus
        min={1}
        max={20}
        allowDecimal={false}
        {...inputs.input("repeat")}
      />
      <Checkbox
        label="A simulated user writes the prompts"
        description="Needs a model connection"
        {...inputs.check("simulate")}
      />
    </FormModal>
  );
}
