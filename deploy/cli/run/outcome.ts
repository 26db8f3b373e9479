// Computes the outcome of a run: its tests, and for each failed or errored test the reasons.

import type { Json } from "../api.ts";

export interface TestOutcome {
  readonly testId: string;
  readonly taskId: string;
  readonly task: string;
  /** Prompt that the application received; null if it received none. */
  readonly prompt: Json;
  /** ERRORED: a verdict was due and is missing. NONE: no evaluation was due. Rates ignore both. */
  readonly outcome: "PASSED" | "FAILED" | "ERRORED" | "NONE";
  readonly score: number | null;
  /** APPLICATION, CONFIGURATION or JUDGE for an ERRORED test. */
  readonly errorCause: string | null;
  readonly seconds: number;
  /** Reasons why the test did not pass, or has no verdict. */
  readonly reasons: readonly string[];
}

export interface Outcome {
  readonly runId: string;
  readonly name: string;
  readonly version: string | null;
  readonly commit: string | null;
  readonly notes: string | null;
  readonly status: string;
  readonly passed: number;
  /** Number of judged tests that did not pass. */
  readonly failed: number;
  /** Number of tests without the verdict that was due. */
  readonly errored: number;
  /** Number of tests without an evaluation that was due. */
  readonly none: number;
  /** Pass rate of the judged tests, 0 to 1; null if none was judged. */
  readonly passRate: number | null;
  readonly tests: readonly TestOutcome[];
}

export function toOutcome(run: Json, tests: readonly Json[]): Outcome {
  const outcomes = tests.map(testOutcome);
  const count = (name: TestOutcome["outcome"]) => outcomes.filter(({ outcome }) => outcome === name).length;
  const [passed, failed] = [count("PASSED"), count("FAILED")];
  return {
    runId: run.id,
    name: run.name ?? `Run ${run.id}`,
    version: run.version ?? null,
    commit: run.commit ?? null,
    notes: run.notes ?? null,
    status: run.status,
    passed,
    failed,
    errored: count("ERRORED"),
    none: count("NONE"),
    passRate: passed + failed === 0 ? null : passed / (passed + failed),
    tests: outcomes,
  };
}

function testOutcome(test: Json): TestOutcome {
  const { id: testId, taskId, prompt = null, score = null, outcome, errorCause = null } = test;
  const evals = (test.evals ?? []).filter(
    (evaluation: Json) => evaluation.status === "FAILED" || evaluation.passed === false,
  );
  // The message of an errored test may be that of an evaluation, which says more.
  const own = evals.some(({ message }: Json) => message === test.message) ? undefined : test.message;
  const hasReasons = outcome === "FAILED" || outcome === "ERRORED";
  const reasons = hasReasons ? [own, ...evals.map(evalReason)].filter(Boolean) : [];
  const [from, to] = [test.createdAt, test.modifiedAt].map((time) => Date.parse(time));
  const seconds = Math.max(0, ((to ?? 0) - (from ?? 0)) / 1_000) || 0;
  return { testId, taskId, task: test.task?.title ?? taskId, prompt, outcome, score, errorCause, seconds, reasons };
}

/** Returns the judge's explanation of a failed evaluation, or the error. */
function evalReason({ definition, message, results, score }: Json): string {
  const why = message ?? results?.reason ?? results?.metadata?.rationale ?? results?.analysis ?? results?.error;
  return `${definition?.name ?? "evaluation"}: ${why ?? `score ${score ?? "–"}`}`;
}
