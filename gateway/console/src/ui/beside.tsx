import type { ReactNode } from "react";
import classes from "./beside.module.css";

interface BesideProps {
  /** What the page is about, then what it is tried with: the second is narrower, and below the first on a narrow screen. */
  readonly children: readonly [ReactNode, ReactNode];
}

export function Beside({ children }: BesideProps) {
  return <div className={classes.beside}>{children}</div>;
}
