// The merged configurations of two variants beside each other, what differs first.

import { Text } from "@mantine/core";
import { useMemo } from "react";
import { differenceOf } from "../documents/word-diff.ts";
import { Section } from "../ui/section.tsx";
import type { Column } from "../ui/table/columns.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { changesOf, type ParameterChange } from "./configs.ts";
import classes from "./experiments.module.css";
import type { Variant } from "./variant-requests.ts";

interface ConfigDiffProps {
  readonly before: Variant;
  readonly after: Variant;
}

interface Row extends ParameterChange {
  readonly id: string;
}

export function ConfigDiff({ before, after }: ConfigDiffProps) {
  const rows = changesOf(before.config, after.config).map((row): Row => ({ ...row, id: `${row.step} ${row.name}` }));
  const columns: readonly Column<Row>[] = [
    {
      id: "parameter",
      label: "Parameter",
      isFixed: true,
      width: 160,
      cell: ({ step, name, isChanged }) => (
        <>
          <Text inherit fw={isChanged ? 600 : 400}>
            {name}
          </Text>
          <Text size="xs" c="dimmed" className={classes.step}>
            {step}
          </Text>
        </>
      ),
    },
    { id: "before", label: before.title, width: 260, cell: (row) => <Value row={row} side="before" /> },
    { id: "after", label: after.title, width: 260, cell: (row) => <Value row={row} side="after" /> },
  ];
  return (
    <Section title="Configurations" description="All that is set, by the inference step's id in the application">
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          Neither sets anything.
        </Text>
      ) : (
        <DataTable label="Configurations" columns={columns} rows={rows} />
      )}
    </Section>
  );
}

interface ValueProps {
  readonly row: ParameterChange;
  readonly side: "before" | "after";
}

function Value({ row: { before, after, isChanged }, side }: ValueProps) {
  const value = side === "before" ? before : after;
  const difference = useMemo(
    () => (isChanged && before !== undefined && after !== undefined ? differenceOf(before, after) : undefined),
    [before, after, isChanged],
  );
  if (value === undefined)
    return (
      <Text inherit c="dimmed">
        Not set
      </Text>
    );
  if (!isChanged)
    return (
      <div className={classes.value} data-same>
        {value}
      </div>
    );
  const Changed = side === "before" ? "del" : "ins";
  const shown = difference?.parts.filter(({ added, removed }) => !(side === "before" ? added : removed));
  return (
    <div className={classes.value}>
      {shown === undefined ? (
        <Changed>{value}</Changed>
      ) : (
        shown.map(({ value: part, added, removed }, at) =>
          added || removed ? <Changed key={at}>{part}</Changed> : <span key={at}>{part}</span>,
        )
      )}
    </div>
  );
}
