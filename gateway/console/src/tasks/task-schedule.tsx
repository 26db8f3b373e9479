// When a task is tested by itself.

import { Group, Select, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { CalendarClock } from "lucide-react";
import { useState } from "react";
import { issuesByField } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import { ActionButton } from "../ui/action.tsx";
import { Facts } from "../ui/facts.tsx";
import { FormModal } from "../ui/form-modal.tsx";
import { words } from "../ui/format.ts";
import { Section } from "../ui/section.tsx";
import { TextField } from "../ui/text-field.tsx";
import { Time } from "../ui/time.tsx";
import { deleteSchedule, putSchedule, refreshedByTasks, type Task } from "./task-requests.ts";
import { levels } from "./task-search.ts";

const criticalities = levels.map((value) => ({ value, label: words(value) }));
const viewerZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

export function TaskSchedule({ task }: { readonly task: Task }) {
  const [isEditing, edit] = useDisclosure();
  const deletion = useChange(deleteSchedule, { refreshes: refreshedByTasks });
  const schedule = task.taskSchedule;
  return (
    <Section
      title="Schedule"
      actions={
        <Group gap="xs">
          {schedule !== null && (
            <ActionButton
              operation="DELETE /v0/tasks/{id}/schedule"
              variant="subtle"
              color="gray"
              loading={deletion.isPending}
              onClick={() => deletion.mutate(task.id)}
            >
              Remove
            </ActionButton>
          )}
          <ActionButton
            operation="PUT /v0/tasks/{id}/schedule"
            variant="default"
            leftSection={<CalendarClock size={14} />}
            onClick={edit.open}
          >
            {schedule === null ? "Set" : "Change"}
          </ActionButton>
        </Group>
      }
    >
      {schedule === null ? (
        <Text size="sm" c="dimmed">
          The task is tested when somebody runs it.
        </Text>
      ) : (
        <Facts
          rows={[
            ["Cron", <code key="cron">{schedule.cron}</code>],
            ["Time zone", schedule.timezone],
            ["Criticality", words(schedule.criticality)],
            ["Next run", <Time key="next" value={schedule.nextRunAt} />],
            ["Last run", <Time key="last" value={schedule.lastRunAt} />],
          ]}
        />
      )}
      {isEditing && <ScheduleForm task={task} onClose={edit.close} />}
    </Section>
  );
}

function ScheduleForm({ task, onClose }: { readonly task: Task; readonly onClose: () => void }) {
  const [cron, setCron] = useState(task.taskSchedule?.cron ?? "0 7 * * 1-5");
  const [timezone, setTimezone] = useState(task.taskSchedule?.timezone ?? viewerZone);
  const [criticality, setCriticality] = useState<(typeof levels)[number]>(task.taskSchedule?.criticality ?? "MEDIUM");
  const { mutate, isPending, error } = useChange(putSchedule, { refreshes: refreshedByTasks, onDone: onClose });
  const issues = issuesByField(error);
  return (
    <FormModal
      title="Schedule"
      isOpen
      onClose={onClose}
      onSubmit={() => mutate({ id: task.id, cron, timezone, criticality })}
      isSaving={isPending}
      error={error}
    >
      <TextField
        label="Cron"
        description="Minute, hour, day of the month, month, day of the week; at least 15 minutes apart"
        data-autofocus
        required
        value={cron}
        error={issues.cron}
        onChange={setCron}
      />
      <TextField label="Time zone" value={timezone} error={issues.timezone} onChange={setTimezone} />
      <Select
        label="Criticality"
        allowDeselect={false}
        data={criticalities}
        value={criticality}
        onChange={(value) => setCriticality(levels.find((level) => level === value) ?? "MEDIUM")}
      />
    </FormModal>
  );
}
