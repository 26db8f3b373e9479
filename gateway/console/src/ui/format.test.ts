import { expect, test } from "vitest";
import { count, dollars, duration, percent, plural, points, score, shortCount, utcTime, words } from "./format.ts";

test.each([
  [percent(0.8734), "87.3 %"],
  [percent(1), "100 %"],
  [percent(null), "–"],
  [points(0.124), "+12"],
  [points(-0.036), "−4"],
  [points(-0.001), "0"],
  [count(12345), "12,345"],
  [shortCount(12_300), "12.3K"],
  [score(0.816666), "0.82"],
  [duration(0), "0 ms"],
  [duration(999.4), "999 ms"],
  [duration(1_500), "1.50 s"],
  [duration(59_900), "59.9 s"],
  [duration(61_000), "1 min 1 s"],
  [duration(900_000), "15 min"],
  [duration(3_720_000), "1 h 2 min"],
  [duration(undefined), "–"],
  [dollars(0), "$0"],
  [dollars(0.000123), "$0.00012"],
  [dollars(1234.5), "$1,234.50"],
  [words("IN_PROGRESS"), "In progress"],
  [words("no-tests"), "No tests"],
  [words("llm"), "LLM"],
  [words("KB_REVIEW"), "KB review"],
  [words(null), "–"],
  [plural(1, "task"), "1 task"],
  [plural(0, "task"), "0 tasks"],
  [utcTime("2026-11-23T04:05:06.789Z"), "2026-11-23 04:05:06 UTC"],
])("%s is %s", (text, expected) => {
  expect(text).toBe(expected);
});
