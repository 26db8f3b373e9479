// Button that describes a filter in words and opens its editor.

import { Button, CloseButton, Group, Popover } from "@mantine/core";
import { Plus } from "lucide-react";
import { useState } from "react";
import { FilterEditor } from "./filter-editor.tsx";
import type { Datasource, Filter } from "./report-search.ts";
import { filterWords, getColumnName, type SourceColumn } from "./report-words.ts";
import classes from "./reports.module.css";
import { useValues } from "./use-values.ts";

interface FilterChipProps {
  readonly source: Datasource;
  readonly columns: readonly SourceColumn[];
  /** Filter to edit. Undefined for the button that adds a filter. */
  readonly filter?: Filter;
  /** Called with undefined to remove the filter. */
  readonly onChange: (filter: Filter | undefined) => void;
}

export function FilterChip({ source, columns, filter, onChange }: FilterChipProps) {
  const [isOpen, setOpen] = useState(false);
  const text = useFilterWords(source, columns, filter);
  return (
    <Group gap={2} wrap="nowrap" className={classes.chip}>
      <Popover trapFocus returnFocus position="bottom-start" opened={isOpen} onChange={setOpen}>
        <Popover.Target>
          <Button
            variant="default"
            className={classes.chipButton}
            onClick={() => setOpen(!isOpen)}
            {...(filter === undefined && { leftSection: <Plus size={14} /> })}
          >
            {text}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={filter === undefined ? "New filter" : `Filter ${text}`} w={280}>
          {isOpen && (
            <FilterEditor
              source={source}
              columns={columns}
              filter={filter}
              onDone={(next) => {
                setOpen(false);
                onChange(next);
              }}
            />
          )}
        </Popover.Dropdown>
      </Popover>
      {filter !== undefined && (
        <CloseButton size="sm" aria-label={`Remove filter ${text}`} onClick={() => onChange(undefined)} />
      )}
    </Group>
  );
}

function useFilterWords(source: Datasource, columns: readonly SourceColumn[], filter: Filter | undefined): string {
  const column = columns.find(({ id }) => id === filter?.column);
  const values = useValues(source, filter === undefined ? undefined : column);
  if (filter === undefined) return "Add filter";
  return filterWords(
    filter,
    getColumnName(columns, filter.column),
    (value) => values.find((choice) => choice.value === value)?.label ?? value,
  );
}

/** Shows the filter as a list item, when the page is printed. */
export function FilterWords(props: Omit<Required<FilterChipProps>, "onChange">) {
  return <li>{useFilterWords(props.source, props.columns, props.filter)}</li>;
}
