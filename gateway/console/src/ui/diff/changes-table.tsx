// Table of named values before and after a change.

import { Text } from "@mantine/core";
import { useMemo } from "react";
import type { Column } from "../table/columns.ts";
import { DataTable } from "../table/data-table.tsx";
import classes from "./diff.module.css";
import { DiffSide, Marked, type Side } from "./diff-side.tsx";
import { compareTexts } from "./word-diff.ts";

export interface Change {
  readonly id: string;
  readonly name: string;
  /** Name of the object that the value belongs to, such as an inference step. */
  readonly context?: string;
  /** Value before the change. Undefined if not set. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly isChanged: boolean;
  /** Reason why the values are not available. */
  readonly withheld?: string;
}

interface ChangesTableProps {
  /** Accessible name of the table. */
  readonly label: string;
  readonly nameLabel: string;
  /** Headings of the two value columns. A column without a heading is hidden. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly changes: readonly Change[];
}

export function ChangesTable({ label, nameLabel, before, after, changes }: ChangesTableProps) {
  const side = (id: Side, title: string | undefined): Column<Change>[] =>
    title === undefined
      ? []
      : [{ id, label: title, width: 260, cell: (change) => <Value change={change} side={id} /> }];
  const columns: readonly Column<Change>[] = [
    {
      id: "name",
      label: nameLabel,
      isFixed: true,
      width: 160,
      cell: ({ name, context, isChanged }) => (
        <>
          <Text inherit fw={isChanged ? 600 : 400}>
            {name}
          </Text>
          {context !== undefined && (
            <Text size="xs" c="dimmed" className={classes.context}>
              {context}
            </Text>
          )}
        </>
      ),
    },
    ...side("before", before),
    ...side("after", after),
  ];
  return <DataTable label={label} columns={columns} rows={changes} />;
}

interface ValueProps {
  readonly change: Change;
  readonly side: Side;
}

function Value({ change: { before, after, isChanged, withheld }, side }: ValueProps) {
  const value = side === "before" ? before : after;
  const difference = useMemo(
    () => (isChanged && before !== undefined && after !== undefined ? compareTexts(before, after) : undefined),
    [before, after, isChanged],
  );
  if (value === undefined)
    return (
      <Text inherit c="dimmed">
        {withheld ?? "Not set"}
      </Text>
    );
  if (!isChanged)
    return (
      <div className={classes.value} data-same>
        {value}
      </div>
    );
  return (
    <div className={classes.value}>
      {difference === undefined ? (
        <Marked side={side}>{value}</Marked>
      ) : (
        <DiffSide parts={difference.parts} side={side} />
      )}
    </div>
  );
}
