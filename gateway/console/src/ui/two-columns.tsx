import type { ReactNode } from "react";
import classes from "./two-columns.module.css";

interface TwoColumnsProps {
  /** Main content and side panel. The panel is narrower. On narrow screens it is below the content. */
  readonly children: readonly [ReactNode, ReactNode];
}

export function TwoColumns({ children }: TwoColumnsProps) {
  return <div className={classes.columns}>{children}</div>;
}
