import { Button, Group } from "@mantine/core";
import { ListFilter } from "lucide-react";
import { type ReactNode, useLayoutEffect, useState } from "react";
import { FilterBox } from "./filter-box.tsx";
import { FiltersContext, noFilters } from "./filter-fields.ts";
import classes from "./filters.module.css";

interface FilterBarProps {
  readonly children: ReactNode;
  /** Element at the end of the line, such as the column chooser. */
  readonly end?: ReactNode;
  /** Resets all filters. Undefined if no filter is set. */
  readonly onReset: (() => void) | undefined;
}

export function FilterBar({ children, end, onReset }: FilterBarProps) {
  const [filters] = useState(noFilters);
  const [needsBox, setNeedsBox] = useState(false);
  // Render a filter box only if the bar has no search box, which also completes filters.
  useLayoutEffect(() => {
    setNeedsBox(filters.fields.size > 0 && filters.boxes.size === 0);
  }, [filters]);
  return (
    <FiltersContext value={filters}>
      <Group justify="space-between" gap="xs" align="flex-start" role="search" aria-label="Filters">
        <Group gap={6} className={classes.filters}>
          {needsBox && <OwnBox />}
          {children}
          {onReset !== undefined && (
            <Button variant="subtle" color="gray" onClick={onReset}>
              Reset
            </Button>
          )}
        </Group>
        <Group gap={6}>{end}</Group>
      </Group>
    </FiltersContext>
  );
}

function OwnBox() {
  const [typed, setTyped] = useState("");
  const icon = <ListFilter size={14} aria-hidden />;
  return (
    <FilterBox label="Filter…" isFilterOnly icon={icon} typed={typed} onType={setTyped} onChosen={() => setTyped("")} />
  );
}
