// Form that starts a run of tasks and then opens the run's page.

import { Checkbox, NumberInput, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { located } from "../api/request.ts";
import { useNew } from "../edits/use-new.ts";
import { triggerTasks } from "../tasks/task-requests.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { TextField } from "../ui/text-field.tsx";
import { newDraft, toRequest, toRunId } from "./run-now-draft.ts";

interface RunNowProps {
  readonly taskIds: readonly string[];
  readonly title: string;
  readonly onClose: () => void;
}

export function RunNow({ taskIds, title, onClose }: RunNowProps) {
  const navigate = useNavigate();
  const { input, check, modal } = useNew({
    newDraft: () => newDraft,
    create: (draft) => located(triggerTasks(toRequest(taskIds, draft))),
    refreshes: ["/v0/runs"],
    onCreated: (location) => void navigate({ to: "/runs/$runId", params: { runId: toRunId(location) } }),
  });
  return (
    <FormModal title={title} {...modal} submitLabel="Run" onClose={onClose}>
      <Text size="sm" c="dimmed">
        Each prompt is sent to the application's webhook; the linked evaluators judge the answers.
      </Text>
      <NumberInput label="Tests per prompt" data-autofocus min={1} max={20} allowDecimal={false} {...input("repeat")} />
      <TextField label="Name" description="Trigger and time when empty" {...input("name")} />
      <TextField label="Version" description="Release or branch of the application" {...input("version")} />
      <Checkbox
        label="A simulated user writes the prompts"
        description="Needs a model connection"
        {...check("simulate")}
      />
    </FormModal>
  );
}
