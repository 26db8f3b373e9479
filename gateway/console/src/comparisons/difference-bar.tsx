// Shows a difference and its interval on a scale around 0, with a sentence that describes it.

import { points } from "../ui/format.ts";
import type { Difference } from "./comparison-requests.ts";
import classes from "./comparisons.module.css";
import { describeDifference } from "./differences.ts";

interface DifferenceBarProps {
  readonly difference: Difference;
  /** Difference at the end of the scale. */
  readonly scale: number;
}

const width = 120;
const height = 14;

export function DifferenceBar({ difference, scale }: DifferenceBarProps) {
  const { passRate } = difference;
  const tone = { better: "good", worse: "bad", no_evidence: "none", too_few_tasks: "none", not_comparable: "none" }[
    difference.verdict
  ];
  return (
    <div className={classes.difference} data-tone={tone}>
      {passRate !== null && (
        <div className={classes.drawing}>
          <Drawing rate={passRate} scale={scale} />{" "}
          <span className={classes.points}>{points(passRate.value)} points</span>
        </div>
      )}{" "}
      <div className={classes.sentence}>{describeDifference(difference)}</div>
    </div>
  );
}

interface DrawingProps {
  readonly rate: NonNullable<Difference["passRate"]>;
  readonly scale: number;
}

function Drawing({ rate: { value, low, high }, scale }: DrawingProps) {
  const x = (difference: number) => ((difference / scale + 1) / 2) * width;
  const interval = low === null || high === null ? undefined : { low, high };
  const range = interval && `95 % interval ${points(interval.low)} to ${points(interval.high)}`;
  const label = `${points(value)} points, ${range ?? "no interval"}`;
  return (
    <svg width={width} height={height} role="img" aria-label={label}>
      <title>{label}</title>
      <rect className={classes.track} x={0} y={height / 2 - 1} width={width} height={2} rx={1} />
      <rect className={classes.zero} x={width / 2 - 0.5} y={0} width={1} height={height} />
      {interval && (
        <rect
          className={classes.band}
          x={x(interval.low)}
          y={3}
          width={Math.max(2, x(interval.high) - x(interval.low))}
          height={height - 6}
          rx={2}
        />
      )}
      <rect
        className={classes.point}
        x={Math.min(width - 3, Math.max(0, x(value) - 1.5))}
        y={1}
        width={3}
        height={height - 2}
      />
    </svg>
  );
}
