import { extractFolded } from "@ems/assertions";
import type { Comparison, Judge, Judgment } from "../judge.ts";
import { completed, failed, noOutput, skipped } from "../model-judge.ts";
import { foldItems, listItems } from "./list-items.ts";
import { type Compared, listReason, stringReason } from "./reason.ts";
import { isSearchedWhole, listScore, stringScore, usualThreshold } from "./score.ts";
import { version } from "./version.ts";

/** Compares the output with the expected answer. Needs no model. */
export const judgeOutputMatch: Judge = async ({ output, expected, definition }) => {
  if (output === undefined) return noOutput(version);
  if (expected === undefined)
    return skipped(version, "no_expected: Neither the test's example nor a link of the definition has an expectation");
  // Definitions created before these settings existed compare strings.
  const comparison: Comparison = definition.comparison ?? { type: "string" };
  const { type, extract, exact = false } = comparison;
  const list = typeof expected === "string" ? [expected] : expected;
  if (type === "string" && list.length === 0)
    return skipped(version, "no_expected: The expectation is an empty list, and a text can equal none of it");
  const found =
    extract === undefined ? { ok: true as const, texts: [output] } : await extractFolded(output, extract, exact);
  if (!found.ok) return failed(version, found.message);
  if (type === "string") {
    return stringVerdict({ expected: list, got: found.texts[0], exact, extract, output }, typeof expected !== "string");
  }
  const matchMode = comparison.matchMode ?? "exact_unordered";
  const isEveryMatch = extract?.flags.includes("g") ?? false;
  const options = { expected: list, exact, splitsCommas: matchMode === "exact_unordered" };
  const got = isEveryMatch ? found.texts : found.texts.flatMap((text) => listItems(text, options));
  return listVerdict({ ...comparison, matchMode }, foldItems(list, exact), foldItems(got, exact));
};

function stringVerdict(compared: Compared, isList: boolean): Judgment {
  const { expected, got, exact } = compared;
  const score = stringScore(expected, got, exact);
  return completed(version, {
    score,
    passed: score === 1,
    results: {
      score,
      reason: stringReason(compared, score === 1),
      ...(isList ? { expectedList: expected } : { expected: expected[0] ?? "" }),
      ...(got !== undefined && { got }),
    },
  });
}

async function listVerdict(
  comparison: Comparison,
  expected: readonly string[],
  got: readonly string[],
): Promise<Judgment> {
  const { matchMode = "exact_unordered", scoreMetric = "f1", passThreshold = usualThreshold } = comparison;
  const result = await listScore(expected, got, matchMode);
  const score = result[scoreMetric];
  const { tp, f1, precision, recall, missing } = result;
  return completed(version, {
    score,
    passed: score >= passThreshold,
    results: {
      score,
      reason: listReason({ expected, got, score: result, metric: scoreMetric, threshold: passThreshold }),
      expectedList: expected,
      gotList: got,
      matchMode,
      scoreMetric,
      f1,
      precision,
      recall,
      tp,
      missing: missing.map((each) => ({ ...each })),
    },
    details: { truncated: isSearchedWhole(matchMode, got) ? [] : ["gotList"] },
  });
}
