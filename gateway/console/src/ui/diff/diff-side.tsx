import classes from "./diff.module.css";
import type { Difference } from "./word-diff.ts";

export type Side = "before" | "after";

interface DiffSideProps {
  readonly parts: Difference["parts"];
  readonly side: Side;
}

/** Shows one side of a comparison: the old text with removed words marked, or the new text with added words marked. */
export function DiffSide({ parts, side }: DiffSideProps) {
  return parts.map(({ value, added, removed }, at) => {
    if (side === "before" ? added : removed) return null;
    if (added || removed)
      return (
        <Marked key={at} side={side}>
          {value}
        </Marked>
      );
    return <span key={at}>{value}</span>;
  });
}

interface MarkedProps {
  readonly side: Side;
  readonly children: string;
}

export function Marked({ side, children }: MarkedProps) {
  return side === "before" ? (
    <del className={classes.removed}>{children}</del>
  ) : (
    <ins className={classes.added}>{children}</ins>
  );
}
