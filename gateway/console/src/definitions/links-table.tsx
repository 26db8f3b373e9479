// Matrix of links between tasks and definitions. It is a single tab stop; arrow keys move between its cells.

import { ActionIcon, Checkbox, Skeleton, Text } from "@mantine/core";
import { Pencil } from "lucide-react";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { messageOfError } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import { useRefusal } from "../session/permissions.ts";
import type { ListedTask } from "../tasks/task-requests.ts";
import { refusedBy } from "../ui/action.tsx";
import { AnchorLink } from "../ui/link.tsx";
import { type Definition, linkTasks, refreshedByDefinitions, unlinkTasks } from "./definition-requests.ts";
import { aboutType } from "./definition-types.ts";
import { ExpectedForm } from "./expected-form.tsx";
import classes from "./links.module.css";
import { type Cell, findReach, moved } from "./matrix.ts";

interface LinksTableProps {
  /** Definitions, one per column. Undefined while they load. */
  readonly definitions: readonly Definition[] | undefined;
  readonly tasks: readonly ListedTask[] | undefined;
  readonly isStale: boolean;
}

interface Pair {
  readonly task: ListedTask;
  readonly definition: Definition;
}

export function LinksTable({ definitions, tasks, isStale }: LinksTableProps) {
  const [active, setActive] = useState<Cell>({ row: 0, column: 0 });
  const [editing, setEditing] = useState<Pair>();
  const refusal = useRefusal(["POST /v0/definitions/link", "POST /v0/definitions/unlink"]);
  const reasonId = useId();
  const refused = refusal === undefined ? undefined : refusedBy(reasonId);
  const table = useRef<HTMLTableElement>(null);
  // Link states that were requested but are not yet in the reloaded lists.
  const [requested, setRequested] = useState<ReadonlyMap<string, boolean>>(new Map());
  const { mutate, error } = useChange(
    ({ task, definition, isLinked }: Pair & { isLinked: boolean }) => {
      const pair = { evalIds: [definition.id], taskIds: [task.id] };
      return isLinked ? linkTasks(pair) : unlinkTasks(pair);
    },
    { refreshes: refreshedByDefinitions },
  );
  if (definitions === undefined || tasks === undefined)
    return (
      <div aria-busy>
        <Skeleton height={420} />
      </div>
    );
  const size = { rows: tasks.length, columns: definitions.length };
  const at = { row: Math.min(active.row, size.rows - 1), column: Math.min(active.column, size.columns - 1) };
  const focus = (cell: Cell) => {
    setActive(cell);
    table.current?.querySelector<HTMLElement>(`[data-cell="${cell.row} ${cell.column}"]`)?.focus();
  };
  const toggle = (pair: Pair, isLinked: boolean) => {
    const key = toKey(pair);
    setRequested((before) => new Map(before).set(key, isLinked));
    const forget = () =>
      setRequested((before) => {
        const after = new Map(before);
        if (after.get(key) === isLinked) after.delete(key);
        return after;
      });
    mutate({ ...pair, isLinked }, { onSettled: forget });
  };
  const onKeyDown = (event: KeyboardEvent, cell: Cell, pair: Pair, isLinked: boolean) => {
    if (event.key === "Enter" && isLinked && refused === undefined) {
      event.preventDefault();
      return setEditing(pair);
    }
    const next = moved(event.key, cell, size, event.ctrlKey);
    if (next === undefined) return;
    event.preventDefault();
    focus(next);
  };
  return (
    <>
      {refusal !== undefined && (
        <Text size="sm" c="dimmed" id={reasonId}>
          {refusal}
        </Text>
      )}
      {error !== null && (
        <Text size="sm" c="var(--ems-bad)" role="alert">
          {messageOfError(error)}
        </Text>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
      <section className={classes.scroller} tabIndex={0} aria-label="Links" aria-busy={isStale}>
        <table className={classes.table} ref={table} data-stale={isStale || undefined}>
          <caption className={classes.caption}>Tasks and the evaluators that judge them</caption>
          <thead>
            <tr>
              <th scope="col">Task</th>
              {definitions.map(({ id, name, type }) => (
                <th key={id} scope="col">
                  <AnchorLink to="/definitions/$definitionId" params={{ definitionId: id }} inherit>
                    {name}
                  </AnchorLink>
                  <span className={classes.type}>{aboutType[type].label}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {tasks.map((task, row) => (
              <tr key={task.id}>
                <th scope="row">
                  <AnchorLink to="/tasks/$taskId" params={{ taskId: task.id }} inherit>
                    {task.title}
                  </AnchorLink>
                </th>
                {definitions.map((definition, column) => {
                  const pair = { task, definition };
                  const isLinked =
                    requested.get(toKey(pair)) ?? task.evalDefinitions.some(({ id }) => id === definition.id);
                  const reach = findReach(task, definition);
                  const cell = { row, column };
                  const isActive = at.row === row && at.column === column;
                  return (
                    <td key={definition.id}>
                      <span className={classes.cell}>
                        <Checkbox
                          size="xs"
                          data-cell={`${row} ${column}`}
                          tabIndex={isActive ? 0 : -1}
                          checked={isLinked}
                          aria-label={formatLabel(pair, reach?.description)}
                          onFocus={() => setActive(cell)}
                          onKeyDown={(event) => onKeyDown(event, cell, pair, isLinked)}
                          onChange={(event) => toggle(pair, event.currentTarget.checked)}
                          {...refused}
                        />
                        {isLinked && (
                          <ActionIcon
                            variant="subtle"
                            color="gray"
                            size="sm"
                            tabIndex={isActive ? 0 : -1}
                            aria-label={`Expected answer of ${definition.name} for ${task.title}`}
                            onClick={() => setEditing(pair)}
                            {...refused}
                            data-disabled={refused !== undefined || undefined}
                          >
                            <Pencil size={12} />
                          </ActionIcon>
                        )}
                        {reach !== undefined && <span className={classes.reach}>{reach.label}</span>}
                      </span>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {editing !== undefined && (
        <ExpectedForm task={editing.task} definition={editing.definition} onClose={() => setEditing(undefined)} />
      )}
    </>
  );
}

const toKey = ({ task, definition }: Pair) => `${task.id} ${definition.id}`;

const formatLabel = ({ task, definition }: Pair, reach: string | undefined) =>
  `${definition.name} judges ${task.title}${reach === undefined ? "" : `, also ${reach}`}`;
