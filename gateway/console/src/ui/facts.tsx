import type { ReactNode } from "react";
import classes from "./facts.module.css";

interface FactsProps {
  /** Rows of label and value. Falsy rows are omitted. */
  readonly rows: readonly (readonly [string, ReactNode] | false | null | undefined)[];
}

/** Shows labeled values in as many columns as fit. */
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
