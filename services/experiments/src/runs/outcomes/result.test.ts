import { expect, test } from "vitest";
import { computeVerdict, sumEvaluations, toResult, toSummary } from "./result.ts";

type Counted = Parameters<typeof sumEvaluations>[0][number];
const row = (
  status: Counted["status"],
  passed: boolean | null,
  score: number | null,
  definitionType: Counted["definitionType"],
): Counted => ({
  status,
  passed,
  scoreMicro: score === null ? null : String(Math.round(score * 1e6)),
  definitionType,
  message: null,
});
const result = (passed: bigint, failed: bigint, averageScore: number) => ({
  passed,
  failed,
  averageScore,
  passRate: Number(passed) / Number(passed + failed),
  total: passed + failed,
});

test.each<[string, Counted[], object | undefined, readonly [errored: bigint, none: bigint]]>([
  ["nothing", [], undefined, [0n, 0n]],
  [
    "an open one and a skipped one",
    [row("PENDING", null, null, "FACT"), row("SKIPPED", true, 1, "FACT")],
    undefined,
    [0n, 1n],
  ],
  ["a score without a verdict", [row("COMPLETED", null, 0.5, "FACT")], undefined, [0n, 1n]],
  ["one that passed", [row("COMPLETED", true, 0.75, "FACT")], result(1n, 0n, 0.75), [0n, 0n]],
  ["one without the verdict that was due", [row("FAILED", true, 1, "FACT")], undefined, [1n, 0n]],
  [
    "scores from 1 to 5 mixed with scores from 0 to 1",
    [
      row("COMPLETED", true, 5, "NATURALNESS"),
      row("COMPLETED", false, 1, "STYLE"),
      row("COMPLETED", true, 0.5, "RECALL"),
      row("SKIPPED", null, 1, "CUSTOM"),
      row("FAILED", null, null, "CUSTOM"),
    ],
    result(2n, 1n, 0.5),
    [1n, 1n],
  ],
  [
    "scores outside their scale, which no mean includes",
    [
      row("COMPLETED", true, 0.8, "NATURALNESS"),
      row("COMPLETED", true, -1e9, "FACT"),
      row("COMPLETED", true, 4, "CUSTOM"),
      row("COMPLETED", true, 3, "STYLE"),
    ],
    result(4n, 0n, 0.5),
    [0n, 0n],
  ],
])("the result and the summary of %s", (_, rows, expected, [errored, none]) => {
  const sums = sumEvaluations(rows);
  expect(toResult(sums)).toEqual(expected);
  expect(toSummary(sums)).toMatchObject({ errored, none, passed: BigInt(sums.passed) });
  expect(toSummary(sums).passRate).toBe(expected === undefined ? null : sums.passed / sums.counted);
});

test("a test has a verdict and a score only without a failed evaluation", () => {
  const judged = [
    row("COMPLETED", true, 1, "CUSTOM"),
    row("COMPLETED", false, 3, "STYLE"),
    row("SKIPPED", null, null, "FACT"),
  ];
  expect(computeVerdict(judged)).toEqual({ passed: false, scoreMicro: "750000", scoreExact: null });
  expect(computeVerdict(judged.slice(2))).toEqual({ passed: null, scoreMicro: null, scoreExact: null });
  expect(computeVerdict([...judged, row("FAILED", null, null, "FACT")])).toEqual({
    passed: null,
    scoreMicro: null,
    scoreExact: null,
  });
});
