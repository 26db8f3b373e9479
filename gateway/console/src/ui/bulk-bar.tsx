import { Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./bulk-bar.module.css";
import { plural } from "./format.ts";

interface BulkBarProps {
  readonly count: number;
  readonly noun: string;
  /** Message of the last failed change. */
  readonly error?: string | undefined;
  readonly children: ReactNode;
}

/** Actions on the selected rows; hidden without a selection. */
export function BulkBar({ count, noun, error, children }: BulkBarProps) {
  if (count === 0) return null;
  return (
    <Group gap="xs" className={classes.bar} role="toolbar" aria-label="Selected rows">
      <Text size="sm" fw={500} aria-live="polite">
        {plural(count, noun)} selected
      </Text>
      {children}
      {error !== undefined && (
        <Text size="sm" c="var(--ems-bad)" role="alert">
          {error}
        </Text>
      )}
    </Group>
  );
}
