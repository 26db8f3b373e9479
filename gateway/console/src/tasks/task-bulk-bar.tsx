import { Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Play, Tag } from "lucide-react";
import { messageOfError } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import { RunNow } from "../runs/run-now.tsx";
import { tagTasks, untagTasks, useTags } from "../tags/tag-requests.ts";
import { ActionButton } from "../ui/action.tsx";
import { BulkBar } from "../ui/bulk-bar.tsx";
import { plural } from "../ui/format.ts";
import type { BulkBarProps } from "../ui/list-page.tsx";
import { refreshedByTasks } from "./task-requests.ts";

export function TaskBulkBar({ ids, onSelect }: BulkBarProps) {
  const onDone = () => onSelect([]);
  const tags = useTags("", []).choices;
  const [isRunning, run] = useDisclosure();
  const tagging = useChange(tagTasks, { refreshes: refreshedByTasks, onDone });
  const untagging = useChange(untagTasks, { refreshes: refreshedByTasks, onDone });
  const error = tagging.error ?? untagging.error;
  const menus = [
    { label: "Add tag", change: tagging, operation: "POST /v0/tasks/tags" },
    { label: "Remove tag", change: untagging, operation: "POST /v0/tasks/untag" },
  ] as const;
  return (
    <>
      <BulkBar count={ids.length} noun="task" error={error === null ? undefined : messageOfError(error)}>
        <ActionButton
          operation="POST /v0/tasks/trigger"
          variant="default"
          size="compact-xs"
          leftSection={<Play size={12} />}
          onClick={run.open}
        >
          Run now
        </ActionButton>
        {menus.map(({ label, change, operation }) => (
          <Menu key={label}>
            <Menu.Target>
              <ActionButton
                operation={operation}
                variant="default"
                size="compact-xs"
                leftSection={<Tag size={12} />}
                loading={change.isPending}
                disabled={tags.length === 0}
              >
                {label}
              </ActionButton>
            </Menu.Target>
            <Menu.Dropdown aria-label={label}>
              {tags.map(({ value, label: name }) => (
                <Menu.Item key={value} onClick={() => change.mutate({ taskIds: [...ids], tagIds: [value] })}>
                  {name}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        ))}
      </BulkBar>
      {isRunning && <RunNow taskIds={ids} title={`Run ${plural(ids.length, "task")}`} onClose={run.close} />}
    </>
  );
}
