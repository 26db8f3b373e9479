// Shows a rate with its interval, as a number and on a scale from 0 to 100 %.

import { percent } from "./format.ts";
import classes from "./rate.module.css";

interface RateProps {
  /** Rate from 0 to 1. */
  readonly rate: number | null | undefined;
  readonly low?: number | null | undefined;
  readonly high?: number | null | undefined;
  /** Number of values from which the rate was computed. */
  readonly n?: number | null | undefined;
}

const width = 64;

export function Rate({ rate, low, high, n }: RateProps) {
  if (rate == null) return <span className={classes.missing}>–</span>;
  const hasInterval = low != null && high != null;
  const interval = hasInterval ? `95 % interval ${percent(low)} to ${percent(high)}` : "no interval";
  const label = `${percent(rate)}, ${interval}${n == null ? "" : `, n = ${n}`}`;
  return (
    <span className={classes.rate} title={label}>
      <svg width={width} height={10} role="img" aria-label={label}>
        <rect className={classes.track} x={0} y={4} width={width} height={2} rx={1} />
        {hasInterval && (
          <rect
            className={classes.band}
            x={low * width}
            y={2}
            width={Math.max(2, (high - low) * width)}
            height={6}
            rx={2}
          />
        )}
        <rect
          className={classes.point}
          x={Math.min(width - 2, Math.max(0, rate * width - 1))}
          y={0}
          width={2}
          height={10}
        />
      </svg>
      <span className={classes.number}>{percent(rate, 0)}</span>
    </span>
  );
}
