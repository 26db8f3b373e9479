// Converts tests and runs of the product to the form of the reference.

import type { DefinitionType, ExpectedEvaluation, ExpectedTest } from "./reference.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers are read by their documented fields
type Json = any;

/** Rounds scores of six decimals: a mean just above or below an exact half must not make a difference. */
const rounded = (value: number) => Math.round((value + 2e-6) * 1e4) / 1e4;
const getReason = (message: string | null | undefined) => message?.split(":", 1)[0];

/** Converts a test to the reference's form, and reports duplicate evaluations as such. */
export function reported(test: Json, typesById: ReadonlyMap<string, DefinitionType>): object {
  const types = test.evals.map((each: Json) => typesById.get(each.definition.id) ?? each.definition.id);
  const doubles = types.filter((type: string, at: number) => types.indexOf(type) !== at);
  const evaluations = test.evals.map((each: Json, at: number) => [types[at], evaluationReport(each)]);
  return comparable(
    {
      status: test.status,
      // The message of an errored test may be that of any of its evaluations.
      reason: test.status === "FAILED" ? getReason(test.message) : undefined,
      outcome: test.outcome,
      errorCause: test.errorCause,
      score: test.score,
      passed: test.passed,
      evaluations: Object.fromEntries(evaluations),
      result: test.result && {
        total: test.result.total,
        passed: test.result.passed,
        averageScore: test.result.averageScore,
      },
    },
    doubles,
  );
}

export const expectedReport = (expected: ExpectedTest): object => comparable(expected, []);

function evaluationReport({ status, score, passed, message }: Json): ExpectedEvaluation {
  if (status !== "COMPLETED") return { status, ...(message && { reason: getReason(message) }) };
  return { status, score, passed };
}

function comparable(
  { outcome, errorCause, status, reason, score, passed, evaluations, result }: Json,
  doubles: readonly string[],
): object {
  return {
    status,
    outcome,
    errorCause: errorCause ?? null,
    reason: reason ?? null,
    doubles,
    passed: passed ?? null,
    score: score == null ? null : rounded(score),
    evaluations: Object.fromEntries(
      Object.entries(evaluations as Record<string, ExpectedEvaluation>)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([type, each]) => [type, { ...each, ...(each.score !== undefined && { score: rounded(each.score) }) }]),
    ),
    result: result ? { ...result, averageScore: rounded(result.averageScore) } : null,
  };
}
