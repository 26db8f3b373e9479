import { Button, Group } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./filters.module.css";

interface FilterBarProps {
  readonly children: ReactNode;
  /** At the end of the line, such as the chooser of columns. */
  readonly end?: ReactNode;
  /** Undefined while nothing is filtered. */
  readonly onReset: (() => void) | undefined;
}

export function FilterBar({ children, end, onReset }: FilterBarProps) {
  return (
    <Group justify="space-between" gap="xs" align="flex-start" role="search" aria-label="Filters">
      <Group gap={6} className={classes.filters}>
        {children}
        {onReset !== undefined && (
          <Button variant="subtle" color="gray" onClick={onReset}>
            Reset
          </Button>
        )}
      </Group>
      <Group gap={6}>{end}</Group>
    </Group>
  );
}
