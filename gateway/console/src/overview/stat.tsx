import { Skeleton, Text } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./overview.module.css";

interface StatProps {
  readonly label: string;
  /** Value to display. Undefined while loading. */
  readonly value: ReactNode | undefined;
  readonly note?: ReactNode;
}

export function Stat({ label, value, note }: StatProps) {
  return (
    <div className={classes.stat}>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      {value === undefined ? <Skeleton height={26} width={96} my={4} /> : <div className={classes.value}>{value}</div>}
      <Text size="xs" c="dimmed" className={classes.note} component="div">
        {note ?? "\u00a0"}
      </Text>
    </div>
  );
}
