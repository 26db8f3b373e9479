import { expect, test } from "vitest";
import { sumResults, toResult } from "./result.ts";

type Counted = Parameters<typeof sumResults>[0][number];
const row = (
  status: Counted["status"],
  passed: boolean | null,
  score: number | null,
  type: Counted["definitionType"],
) => ({
  status,
  passed,
  scoreMicro: score === null ? null : String(Math.round(score * 1e6)),
  definitionType: type,
});

test.each<[string, Counted[], object | undefined]>([
  ["nothing", [], undefined],
  ["only open and skipped ones", [row("PENDING", null, null, "FACT"), row("SKIPPED", true, 1, "FACT")], undefined],
  ["an unjudged one", [row("COMPLETED", null, 0.5, "FACT")], undefined],
  [
    "one that passed",
    [row("COMPLETED", true, 0.75, "FACT")],
    { averageScore: 0.75, failed: 0n, passed: 1n, passRate: 1, total: 1n },
  ],
  [
    "one that failed to run",
    [row("FAILED", true, null, "FACT")],
    { averageScore: 0, failed: 1n, passed: 0n, passRate: 0, total: 1n },
  ],
  [
    "scores from 1 to 5 mixed with scores from 0 to 1",
    [
      row("COMPLETED", true, 5, "NATURALNESS"),
      row("COMPLETED", false, 1, "STYLE"),
      row("COMPLETED", true, 0.5, "RECALL"),
      row("SKIPPED", null, 1, "CUSTOM"),
    ],
    { averageScore: 0.5, failed: 1n, passed: 2n, passRate: 2 / 3, total: 3n },
  ],
  [
    "scores outside their scale, which no mean includes",
    [
      row("COMPLETED", true, 0.8, "NATURALNESS"),
      row("COMPLETED", true, -1e9, "FACT"),
      row("COMPLETED", true, 4, "CUSTOM"),
      row("COMPLETED", true, 3, "STYLE"),
    ],
    { averageScore: 0.5, failed: 0n, passed: 4n, passRate: 1, total: 4n },
  ],
])("the result of %s", (_, rows, result) => {
  expect(toResult(sumResults(rows))).toEqual(result);
});
