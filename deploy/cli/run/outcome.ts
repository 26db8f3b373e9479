// Computes the outcome of a run: its tests, and for each failed test the reasons.

import type { Json } from "../api.ts";

export interface TestOutcome {
  readonly testId: string;
  readonly taskId: string;
  readonly task: string;
  /** Prompt that the application received; null if it received none. */
  readonly prompt: Json;
  /** Null if no definition applies to the test. Rates then ignore the test. */
  readonly passed: boolean | null;
  readonly score: number | null;
  /** True if the test could not be evaluated, such as without an answer. */
  readonly isError: boolean;
  readonly seconds: number;
  /** Reasons why the test did not pass. */
  readonly reasons: readonly string[];
}

export interface Outcome {
  readonly runId: string;
  readonly status: string;
  readonly passed: number;
  /** Number of tests that count in the pass rate. */
  readonly counted: number;
  /** Pass rate from 0 to 1; null if no test counts. */
  readonly passRate: number | null;
  readonly tests: readonly TestOutcome[];
}

export function toOutcome(run: Json, tests: readonly Json[]): Outcome {
  const outcomes = tests.map(testOutcome);
  const counting = outcomes.filter((test) => test.passed !== null);
  const passed = counting.filter((test) => test.passed).length;
  const counted = counting.length;
  return {
    runId: run.id,
    status: run.status,
    passed,
    counted,
    passRate: counted === 0 ? null : passed / counted,
    tests: outcomes,
  };
}

function testOutcome(test: Json): TestOutcome {
  const isError = test.status === "FAILED";
  const passed: boolean | null = isError ? false : (test.passed ?? null);
  const evals = (test.evals ?? []).filter(
    (evaluation: Json) => evaluation.status === "FAILED" || evaluation.passed === false,
  );
  const reasons = passed ? [] : [test.message, ...evals.map(evalReason)].filter(Boolean);
  const [from, to] = [test.createdAt, test.modifiedAt].map((time) => Date.parse(time));
  const seconds = Math.max(0, ((to ?? 0) - (from ?? 0)) / 1_000) || 0;
  const { id: testId, taskId, prompt = null, score = null } = test;
  return { testId, taskId, task: test.task?.title ?? taskId, prompt, passed, score, isError, seconds, reasons };
}

/** Returns the judge's explanation of a failed evaluation, or the error. */
function evalReason({ definition, message, results, score }: Json): string {
  const why = message ?? results?.reason ?? results?.metadata?.rationale ?? results?.analysis ?? results?.error;
  return `${definition?.name ?? "evaluation"}: ${why ?? `score ${score ?? "–"}`}`;
}
