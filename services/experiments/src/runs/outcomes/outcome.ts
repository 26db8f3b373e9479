// Decides the outcome of tests and evaluations. Pure. Every rate, mean and report follows these rules.

import type { EvaluationRow } from "@ems/results";
import { findCause, type TestErrorCause } from "./causes.ts";

export type TestOutcome = "PASSED" | "FAILED" | "ERRORED" | "NONE";

type Status = EvaluationRow["status"];

/** Fields of an evaluation that decide an outcome. */
export interface JudgedEvaluation extends Pick<EvaluationRow, "status" | "passed"> {
  readonly message: string | null;
}

/** Fields of a test that decide its outcome. */
export interface JudgedTest {
  readonly status: Exclude<Status, "SKIPPED">;
  readonly passed: boolean | null;
  readonly errorCause: TestErrorCause | null;
}

export const hasEnded = ({ status }: { readonly status: Status }) =>
  status === "COMPLETED" || status === "FAILED" || status === "SKIPPED";

/** Returns the outcome of an evaluation; undefined until it ends. One with a score but without a verdict is NONE. */
export function evaluationOutcome({
  status,
  passed,
}: Pick<JudgedEvaluation, "status" | "passed">): TestOutcome | undefined {
  if (!hasEnded({ status })) return undefined;
  if (status === "FAILED") return "ERRORED";
  if (status === "SKIPPED" || passed === null) return "NONE";
  return passed ? "PASSED" : "FAILED";
}

/** Returns the outcome of a test; undefined until it ends. */
export function testOutcome({ status, passed, errorCause }: JudgedTest): TestOutcome | undefined {
  if (!hasEnded({ status })) return undefined;
  if (status === "FAILED" || errorCause !== null) return "ERRORED";
  if (passed === null) return "NONE";
  return passed ? "PASSED" : "FAILED";
}

/** Returns true if the test counts in rates. */
export function isJudged(test: JudgedTest): boolean {
  const outcome = testOutcome(test);
  return outcome === "PASSED" || outcome === "FAILED";
}

/**
 * Returns the cause if a verdict was due and is missing: the test failed, or one of its evaluations failed or is still
 * open although the test has ended. Null otherwise, and before the end.
 */
export function testErrorCause(
  { status, message }: { readonly status: Status; readonly message: string | null },
  evaluations: readonly JudgedEvaluation[],
): TestErrorCause | null {
  if (!hasEnded({ status })) return null;
  const missing = evaluations.filter((evaluation) => evaluation.status === "FAILED" || !hasEnded(evaluation));
  if (status === "FAILED") return findCause([message], "APPLICATION");
  if (missing.length === 0) return null;
  return findCause(
    missing.map((evaluation) => evaluation.message),
    "JUDGE",
  );
}
