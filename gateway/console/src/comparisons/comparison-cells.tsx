// Cells of the comparison table. A value is undefined while loading, and null if there is none.

import { Skeleton } from "@mantine/core";
import { count, missing } from "../ui/format.ts";
import { Rate } from "../ui/rate.tsx";
import type { Difference, Estimate, Side } from "./comparison-requests.ts";
import classes from "./comparisons.module.css";
import { DifferenceBar } from "./difference-bar.tsx";

const loading = <Skeleton height={14} width="70%" my={3} />;

export function RateCell({ side }: { readonly side: Side | null | undefined }) {
  return (
    <td className={classes.number}>
      {side === undefined ? (
        loading
      ) : (
        <>
          <Rate rate={side?.passRate?.value} low={side?.passRate?.low} high={side?.passRate?.high} n={side?.tests} />{" "}
          {side !== null && <div className={classes.note}>{formatCounts(side)}</div>}
        </>
      )}
    </td>
  );
}

/** Formats the number of judged tests, with the numbers of those that errored, were not judged or have not ended. */
function formatCounts({ tests, errored, none, uncounted }: Side): string {
  const parts = [
    `n = ${count(tests)}`,
    errored > 0 && `${count(errored)} errored`,
    none > 0 && `${count(none)} not judged`,
    uncounted > none && `${count(uncounted - none)} not ended`,
  ];
  return parts.filter((part) => part !== false).join(", ");
}

interface DifferenceCellProps {
  readonly difference: Difference | null | undefined;
  readonly scale: number;
}

export function DifferenceCell({ difference, scale }: DifferenceCellProps) {
  return (
    <td>
      {difference === undefined ? (
        loading
      ) : difference === null ? (
        missing
      ) : (
        <DifferenceBar difference={difference} scale={scale} />
      )}
    </td>
  );
}

interface AmountCellProps {
  readonly estimate: Estimate | null | undefined;
  readonly format: (value: number) => string;
}

export function AmountCell({ estimate, format }: AmountCellProps) {
  if (estimate == null) return <td className={classes.number}>{estimate === undefined ? loading : missing}</td>;
  const { value, low, high } = estimate;
  return (
    <td className={classes.number}>
      {format(value)}{" "}
      {low !== null && high !== null && (
        <div className={classes.note} title="95 % interval">{`${format(low)} to ${format(high)}`}</div>
      )}
    </td>
  );
}
