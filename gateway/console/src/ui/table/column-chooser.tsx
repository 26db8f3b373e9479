import { Button, Checkbox, Popover, Stack } from "@mantine/core";
import { Columns3 } from "lucide-react";
import { type Column, chooseColumns, toggledColumn } from "./columns.ts";

interface ColumnChooserProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly chosen: readonly string[] | undefined;
  readonly onChange: (chosen: string[] | undefined) => void;
}

export function ColumnChooser<Row>({ columns, chosen, onChange }: ColumnChooserProps<Row>) {
  const displayed = new Set(chooseColumns(columns, chosen).map(({ id }) => id));
  return (
    <Popover trapFocus returnFocus position="bottom-end">
      <Popover.Target>
        <Button variant="default" leftSection={<Columns3 size={14} />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <Stack gap={8}>
          {columns
            .filter(({ isFixed }) => !isFixed)
            .map(({ id, label }) => (
              <Checkbox
                key={id}
                size="xs"
                label={label}
                checked={displayed.has(id)}
                onChange={() => onChange(toggledColumn(columns, chosen, id))}
              />
            ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
