// Status words, each with its own color. The word alone has the full meaning, so that the color is not needed.

import { CircleCheck, CircleDashed, CircleX, TriangleAlert } from "lucide-react";
import classes from "./badges.module.css";
import { words } from "./format.ts";

type Tone = "good" | "bad" | "warning" | "busy";

const tones: Readonly<Record<string, Tone>> = {
  OK: "good",
  ACTIVE: "good",
  COMPLETED: "good",
  APPROVED: "good",
  SUCCEEDED: "good",
  RESOLVED: "good",
  DELIVERED: "good",
  HIGH: "good",
  success: "good",
  FAILED: "bad",
  DEAD: "bad",
  DISABLED: "bad",
  PAUSED: "bad",
  FAILURE: "bad",
  error: "bad",
  timeout: "bad",
  IN_PROGRESS: "busy",
  PENDING: "busy",
  RUNNING: "busy",
  OPEN: "warning",
  WARNING: "warning",
};

/** Shows a colored dot and the status word. */
export function Status({ value }: { readonly value: string | null | undefined }) {
  return (
    <span className={classes.status} data-tone={tones[value ?? ""]}>
      <span className={classes.dot} aria-hidden />
      {words(value)}
    </span>
  );
}

const outcomes = {
  PASSED: [CircleCheck, "Passed", "good"],
  FAILED: [CircleX, "Failed", "bad"],
  ERRORED: [TriangleAlert, "Errored", "warning"],
  NONE: [CircleDashed, "Not judged", "none"],
} as const;

/** Shows the outcome of a test; renders nothing until it ends. */
export function Outcome({ value }: { readonly value: keyof typeof outcomes | null | undefined }) {
  if (value == null) return null;
  const [Icon, label, tone] = outcomes[value];
  return (
    <span className={classes.passed} data-tone={tone}>
      <Icon size={14} aria-hidden />
      {label}
    </span>
  );
}

/** Shows if an evaluation passed. */
export function Passed({ value }: { readonly value: boolean | null | undefined }) {
  const [Icon, label, tone] =
    value == null
      ? ([CircleDashed, "Not judged", "none"] as const)
      : value
        ? ([CircleCheck, "Passed", "good"] as const)
        : ([CircleX, "Failed", "bad"] as const);
  return (
    <span className={classes.passed} data-tone={tone}>
      <Icon size={14} aria-hidden />
      {label}
    </span>
  );
}

/** Shows if a judge is reliable; renders nothing if that is unknown. */
export function Reliable({ value }: { readonly value: boolean | null | undefined }) {
  if (value == null) return null;
  const [Icon, label, tone] = value
    ? ([CircleCheck, "Agrees with people", "good"] as const)
    : ([TriangleAlert, "Unreliable judge", "bad"] as const);
  return (
    <span className={classes.passed} data-tone={tone}>
      <Icon size={14} aria-hidden />
      {label}
    </span>
  );
}
