import type { ReactNode } from "react";
import classes from "./beside.module.css";

interface BesideProps {
  /** Main content and side panel. The panel is narrower, and below the content on narrow screens. */
  readonly children: readonly [ReactNode, ReactNode];
}

export function Beside({ children }: BesideProps) {
  return <div className={classes.beside}>{children}</div>;
}
