// Measures of a task, from its tests.

import { type Rational, whole } from "./rational.ts";

interface Judged {
  readonly status: string;
  readonly errorCause?: string | null;
  readonly passed: boolean | null;
}

/** Returns true for a result without the verdict that was due; it has no score, either. */
export function isErrored({ status, errorCause = null }: Omit<Judged, "passed">): boolean {
  return status === "FAILED" || errorCause !== null;
}

export function measureTask(tests: readonly Judged[]): { passRate: Rational | null; errored: Rational } {
  const judged = tests.filter((test) => test.passed !== null && !isErrored(test));
  const passed = judged.filter((test) => test.passed === true).length;
  // Rounded half up to whole millionths.
  const millionths = () => BigInt(Math.floor((passed * 1e6) / judged.length + 0.5));
  return {
    passRate: judged.length === 0 ? null : { top: millionths(), bottom: 1_000_000n },
    errored: whole(tests.filter(isErrored).length),
  };
}

export function findLastTest(tests: readonly { readonly createdAt: number }[]): number | null {
  return tests.length === 0 ? null : Math.max(...tests.map(({ createdAt }) => createdAt));
}
