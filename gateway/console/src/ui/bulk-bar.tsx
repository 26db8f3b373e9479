import { Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./bulk-bar.module.css";
import { plural } from "./format.ts";

interface BulkBarProps {
  readonly count: number;
  readonly noun: string;
  /** Error message of the last change, if it failed. */
  readonly error?: string | undefined;
  readonly children: ReactNode;
}

/** Bar with actions on the selected rows. Hidden if no row is selected. */
export function BulkBar({ count, noun, error, children }: BulkBarProps) {
  if (count === 0) return null;
  return (
    <Group gap="xs" className={classes.bar} role="toolbar" aria-label="Selected rows">
      <Text size="sm" fw={500} aria-live="polite">
        {`${plural(count, noun)} selected`}
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
