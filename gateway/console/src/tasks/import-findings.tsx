// Findings of a file's check: the fields of its columns, its first rows, errors, and parts that have no place yet.

import { Group, Select, Stack, Text } from "@mantine/core";
import type { Column } from "../ui/table/columns.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { type Checked, countErrors, describeCheck, displayedMax, mappableFields } from "./import-file.ts";

type Row<Item> = Item & { readonly id: string };
type Fault = Checked["errors"][number];
type Preview = Omit<Checked["preview"][number], "id">;

const faultColumns = (label: string): readonly Column<Row<Fault>>[] => [
  { id: "row", label: "Row", isNumber: true, isFixed: true, cell: ({ row }) => (row === 0 ? "" : row) },
  { id: "field", label: "Field", width: 140, cell: ({ field }) => field },
  { id: "message", label, width: 320, cell: ({ message }) => message },
];

const actions = { CREATE: "New", UPDATE: "Changed", UNCHANGED: "Unchanged", CONFLICT: "Edited here" } as const;

const previewColumns: readonly Column<Row<Preview>>[] = [
  { id: "row", label: "Row", isNumber: true, isFixed: true, cell: ({ row }) => row },
  { id: "action", label: "Becomes", width: 110, cell: ({ action }) => (action == null ? "" : actions[action]) },
  { id: "title", label: "Title", width: 180, cell: ({ title }) => title },
  { id: "prompts", label: "Prompts", width: 220, cell: ({ prompts }) => prompts.join(" | ") },
  { id: "expected", label: "Expected", width: 160, cell: ({ expected }) => expected.join(" | ") },
  { id: "metadata", label: "Metadata", width: 140, cell: ({ metadataKeys }) => metadataKeys.join(", ") },
  { id: "definitions", label: "Evaluators", width: 140, cell: ({ definitions }) => definitions.join(", ") },
];

/** Maximum number of columns whose field can be chosen in the form. */
const columnsMax = 30;

const numbered = <Item extends object>(items: readonly Item[]): Row<Item>[] =>
  items.map((item, at) => ({ ...item, id: String(at) }));

interface Findings {
  readonly checked: Checked;
  readonly onMap: (column: string, field: string | null) => void;
}

export function ImportFindings({ checked, onMap }: Findings) {
  const { errors, columns, preview, notImportedYet, notes, shape } = checked;
  const isMappable = shape !== "PROMPTFOO" && columns.length > 0;
  return (
    <Stack gap="xs">
      <Text size="sm" c={errors.length > 0 ? "var(--ems-bad)" : undefined}>
        {describeCheck(checked)}
      </Text>
      {shape != null && shape !== "TASKS" && <Text size="sm">{`Recognized: ${shape}`}</Text>}
      {notes.map((note) => (
        <Text key={note} size="sm">
          {note}
        </Text>
      ))}
      {isMappable && (
        <Group gap="xs" align="flex-end">
          {columns.slice(0, columnsMax).map(({ name, becomes }) => (
            <Select
              key={name}
              label={name}
              placeholder="Not imported"
              size="xs"
              w={150}
              clearable
              data={[...new Set([...mappableFields, ...(becomes === "" ? [] : [becomes])])]}
              value={becomes === "" ? null : becomes}
              onChange={(field) => onMap(name, field)}
            />
          ))}
        </Group>
      )}
      {errors.length > 0 && (
        <DataTable
          label="Errors"
          columns={faultColumns("Error")}
          rows={numbered(errors.slice(0, displayedMax))}
          skeletonRows={0}
        />
      )}
      {countErrors(checked) > displayedMax && (
        <Text size="xs" c="dimmed">{`Showing the first ${displayedMax} errors.`}</Text>
      )}
      {errors.length === 0 && preview.length > 0 && (
        <DataTable label="First rows" columns={previewColumns} rows={numbered(preview)} skeletonRows={0} />
      )}
      {notImportedYet.length > 0 && (
        <DataTable
          label="Not imported yet"
          columns={faultColumns("Not imported yet")}
          rows={numbered(notImportedYet)}
          skeletonRows={0}
        />
      )}
    </Stack>
  );
}
