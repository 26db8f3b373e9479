import type { Comparison, Judge, Judgment } from "../judge.ts";
import { completed, failed, noOutput, skipped } from "../model-judge.ts";
import { extracted } from "./extract.ts";
import { listReason, stringReason } from "./reason.ts";
import { isSearchedWhole, listItems, listScore, stringScore, trimmed, usualThreshold } from "./score.ts";
import { version } from "./version.ts";

/** Compares the output with the link's expected answer. Needs no model. */
export const judgeOutputMatch: Judge = async ({ output, expected, definition }) => {
  if (output === undefined) return noOutput(version);
  if (expected === undefined) return skipped(version, "no_expected: No link of the definition has an expectation");
  // Definitions created before these settings existed compare strings.
  const comparison: Comparison = definition.comparison ?? { type: "string" };
  const list = typeof expected === "string" ? [expected] : expected;
  const { extract } = comparison;
  const found = extract === undefined ? { ok: true as const, texts: [output] } : await extracted(output, extract);
  if (!found.ok) return failed(version, found.message);
  if (comparison.type === "string") return stringVerdict(expected, list, found.texts[0]);
  const isEveryMatch = extract?.flags.includes("g") ?? false;
  const got = isEveryMatch ? trimmed(found.texts) : found.texts.flatMap(listItems);
  return listVerdict(comparison, trimmed(list), got);
};

function stringVerdict(
  expected: string | readonly string[],
  list: readonly string[],
  got: string | undefined,
): Judgment {
  const score = stringScore(list, got);
  return completed(version, {
    score,
    passed: score === 1,
    results: {
      score,
      reason: stringReason(list, got, score === 1),
      ...(typeof expected === "string" ? { expected } : { expectedList: expected }),
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
