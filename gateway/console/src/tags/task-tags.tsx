// Shows a task's tags, with a list of checkboxes to add and remove tags.

import { Checkbox, Group, Popover, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Pencil } from "lucide-react";
import { useState } from "react";
import { messageOfError } from "../api/errors.ts";
import { readVersion } from "../api/query.ts";
import { ConflictDialog } from "../edits/conflict-dialog.tsx";
import { chosenFrom, fieldFor } from "../edits/fields.ts";
import { useChoice } from "../edits/use-edit.ts";
import { ActionIconButton } from "../ui/action.tsx";
import { count, missing } from "../ui/format.ts";
import { describeRest } from "../ui/pick/found.ts";
import { TextField } from "../ui/text-field.tsx";
import { TagList } from "./tag-list.tsx";
import { listTaskTags, setTaskTags, useTags } from "./tag-requests.ts";

const field = fieldFor<{ readonly tagIds: string[] }>();

export function TaskTags({ taskId }: { readonly taskId: string }) {
  const request = listTaskTags(taskId);
  const { data } = useQuery(readVersion(request));
  const tags = data?.body.data ?? [];
  const ids = tags.map(({ id }) => id);
  const [typed, setTyped] = useState("");
  const found = useTags(typed, ids);
  const { choices } = found;
  const rest = describeRest(found, count);
  const { choose, conflict, isPending, error } = useChoice({
    loaded: data && { ...data, request },
    toDraft: (body) => ({ tagIds: body.data.map(({ id }) => id).sort() }),
    fields: [field("tagIds", "Tags", chosenFrom(choices))],
    makeRequest: ({ tagIds }) => setTaskTags({ id: taskId, tagIds }),
    refreshes: ["/v0/tasks", "/v0/reporting"],
  });
  return (
    <Group gap={4}>
      {tags.length === 0 ? missing : <TagList tags={tags} />}
      <Popover trapFocus returnFocus>
        <Popover.Target>
          <ActionIconButton
            operation="PUT /v0/tasks/{id}/tags"
            variant="subtle"
            color="gray"
            size="sm"
            aria-label="Change tags"
            disabled={data === undefined}
          >
            <Pencil size={12} />
          </ActionIconButton>
        </Popover.Target>
        <Popover.Dropdown aria-label="Tags">
          {(rest !== undefined || typed !== "") && (
            <TextField
              size="xs"
              mb={8}
              aria-label="Find in tags"
              placeholder={rest}
              value={typed}
              onChange={setTyped}
            />
          )}
          <Checkbox.Group
            aria-label="Tags"
            value={ids}
            onChange={(tagIds) => !isPending && choose({ tagIds: tagIds.toSorted() })}
          >
            <Stack gap={8}>
              {choices.map(({ value, label }) => (
                <Checkbox key={value} size="xs" value={value} label={label} />
              ))}
            </Stack>
          </Checkbox.Group>
          {choices.length === 0 && <Text size="xs">No tags yet</Text>}
          {error !== null && (
            <Text size="xs" c="var(--ems-bad)" role="alert">
              {messageOfError(error)}
            </Text>
          )}
        </Popover.Dropdown>
      </Popover>
      <ConflictDialog conflict={conflict} closeLabel="Cancel" />
    </Group>
  );
}
