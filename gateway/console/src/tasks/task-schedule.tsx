// Shows and edits the schedule on which a task runs.

import { Group, Select, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { CalendarClock } from "lucide-react";
import type { Loaded } from "../api/conditional.ts";
import { useChange } from "../api/query.ts";
import { Editing } from "../edits/editing.tsx";
import { fieldFor } from "../edits/fields.ts";
import { useEdit } from "../edits/use-edit.ts";
import { ActionButton } from "../ui/action.tsx";
import { Facts } from "../ui/facts.tsx";
import { FormModal } from "../ui/form-modal.tsx";
import { words } from "../ui/format.ts";
import { viewerZone } from "../ui/locale.ts";
import { Section } from "../ui/section.tsx";
import { TextField } from "../ui/text-field.tsx";
import { Time } from "../ui/time.tsx";
import { deleteSchedule, getSchedule, putSchedule, refreshedByTasks, type Task } from "./task-requests.ts";
import { levels } from "./task-search.ts";

type Schedule = NonNullable<Task["taskSchedule"]>;

const criticalities = levels.map((value) => ({ value, label: words(value) }));

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
          No schedule. Run the task manually, or set one.
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
      {isEditing && schedule === null && (
        <ScheduleForm
          taskId={task.id}
          // The task has no stored schedule yet, so there is no ETag.
          loaded={{ request: getSchedule(task.id), body: null, etag: undefined }}
          onClose={edit.close}
        />
      )}
      {isEditing && schedule !== null && (
        <Editing request={getSchedule(task.id)} title="Schedule" onClose={edit.close}>
          {(loaded) => <ScheduleForm taskId={task.id} loaded={loaded} onClose={edit.close} />}
        </Editing>
      )}
    </Section>
  );
}

interface ScheduleFormProps {
  readonly taskId: string;
  readonly loaded: Loaded<Schedule | null>;
  readonly onClose: () => void;
}

const toDraft = (schedule: Schedule | null) => ({
  cron: schedule?.cron ?? "0 7 * * 1-5",
  timezone: schedule?.timezone ?? viewerZone,
  criticality: schedule?.criticality ?? "MEDIUM",
});
const field = fieldFor<ReturnType<typeof toDraft>>();
const fields = [field("cron", "Cron"), field("timezone", "Time zone"), field("criticality", "Criticality", words)];

function ScheduleForm({ taskId, loaded, onClose }: ScheduleFormProps) {
  const edit = useEdit({
    loaded,
    toDraft: toDraft,
    fields,
    makeRequest: (draft) => putSchedule({ id: taskId, ...draft }),
    refreshes: refreshedByTasks,
    onSaved: onClose,
  });
  return (
    <FormModal title="Schedule" {...edit.modal} submitLabel="Save" onClose={onClose}>
      <TextField
        label="Cron"
        description="Minute, hour, day of the month, month, day of the week; at least 15 minutes apart"
        data-autofocus
        required
        {...edit.input("cron")}
      />
      <TextField label="Time zone" {...edit.input("timezone")} />
      <Select label="Criticality" allowDeselect={false} data={criticalities} {...edit.input("criticality")} />
    </FormModal>
  );
}
