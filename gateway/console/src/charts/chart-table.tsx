// The values of a chart as a table, for people who do not see the chart or want to copy its values.

import { UnstyledButton } from "@mantine/core";
import { useState } from "react";
import classes from "./chart.module.css";
import { describeValues, type Plotted } from "./plotted.ts";

interface ChartTableProps extends Plotted {
  readonly label: string;
  readonly onPoint?: ((index: number) => void) | undefined;
}

/** Returns the accessible name of a chart: its label and its lowest, highest and latest value. */
export const nameChart = (label: string, { values }: Plotted) =>
  [label, describeValues(values)].filter((part) => part !== "").join(". ");

export function ChartTable({ label, heads, rows, onPoint }: ChartTableProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={classes.table} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Show as table</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
        <section className={classes.rows} tabIndex={0} aria-label={`Values: ${label}`}>
          <table aria-label={label}>
            <thead>
              <tr>
                {heads.map((head) => (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(([name, ...cells], index) => (
                <tr key={index}>
                  <th scope="row">
                    {onPoint === undefined ? (
                      name
                    ) : (
                      <UnstyledButton fz="inherit" td="underline" onClick={() => onPoint(index)}>
                        {name}
                      </UnstyledButton>
                    )}
                  </th>
                  {cells.map((cell, at) => (
                    <td key={heads[at + 1]}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  );
}
