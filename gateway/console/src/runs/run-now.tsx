// Starts a run of tasks, and opens it.

import { Checkbox, NumberInput, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { issuesByField } from "../api/errors.ts";
import { sendForLocation } from "../api/send.ts";
import { triggerTasks } from "../tasks/task-requests.ts";
import { FormModal } from "../ui/form-modal.tsx";

interface RunNowProps {
  readonly taskIds: readonly string[];
  readonly title: string;
  readonly onClose: () => void;
}

export function RunNow({ taskIds, title, onClose }: RunNowProps) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const [repeat, setRepeat] = useState(1);
  const [simulate, setSimulate] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => sendForLocation(triggerTasks({ taskIds: [...taskIds], repeat, simulate }), crypto.randomUUID()),
    onSuccess: async (location) => {
      await client.invalidateQueries({ queryKey: ["/v0/runs"] });
      const runId = location.split("/").at(-1) ?? "";
      await navigate({ to: "/runs/$runId", params: { runId } });
    },
  });
  const issues = issuesByField(error);
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
        Each prompt is sent to the application's webhook; the linked definitions judge the answers.
      </Text>
      <NumberInput
        label="Tests of each prompt"
        data-autofocus
        min={1}
        max={20}
        allowDecimal={false}
        value={repeat}
        error={issues.repeat}
        onChange={(value) => setRepeat(typeof value === "number" ? value : 1)}
      />
      <Checkbox
        label="A simulated user writes the prompts"
        description="Needs a model connection"
        checked={simulate}
        error={issues.simulate}
        onChange={(event) => setSimulate(event.currentTarget.checked)}
      />
    </FormModal>
  );
}
