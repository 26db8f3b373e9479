import type { ReactNode } from "react";
import classes from "./facts.module.css";

interface FactsProps {
  /** Label and value; a missing value is left out. */
  readonly rows: readonly (readonly [string, ReactNode] | false | null | undefined)[];
}

/** Values with their names, in as many columns as fit. */
export function Facts({ rows }: FactsProps) {
  return (
    <dl className={classes.facts}>
      {rows
        .filter((row) => row !== null && row !== false && row !== undefined)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
