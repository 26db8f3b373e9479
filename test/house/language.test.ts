// Texts, names and READMEs follow the house style (CONTRIBUTING.md).

import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Finding, findings } from "./language.ts";
import { read, root } from "./sources.ts";

/** Comparisons, reviews and calibrations in services, the console and tests. */
const verdictFields = new RegExp(
  [
    "^test/(clients|loop)/|^test/cli/exact-transfer|^test/(oracle/reference-model|harness/changes)",
    "^test/api/(runs|variants|human-annotations|calibration|trace-deletions)|^test/console/((hostile-text|reviews)\\.test|sample-pages)",
    "^services/evaluation/src/judges/(recall/results|judges\\.test)",
    "^services/experiments/src/\\w+/(comparison|human-annotations|annotation-queues|calibration|criteria|erasures|trace-deletions)/",
    "^services/experiments/(test/archived-applications|src/lifecycle/archive/operations)",
    "^deploy/cli/commands/compare|^deploy/dev/seed/judgements",
    "^gateway/console/src/((tests/evaluation-findings|comparisons/differences)\\.test|reviews/)",
  ].join("|"),
);

/** Findings that stay, each with its reason. */
const exceptions: readonly (readonly [file: RegExp, text: RegExp, reason: string])[] = [
  [
    /^(deploy\/helm\/ems\/values|test\/helm\/cases\/first-install)\.yaml$/,
    /organisation/,
    "the chart's value has this name",
  ],
  [/^gateway\/console\/src\//, /^onSettled$/, "React Query's name"],
  [/^gateway\/console\/src\/experiments\//, /^(beside|shown)$/, "parameters of URLs that people have stored"],
  [verdictFields, /^verdict /, "a field of the API's answers"],
  [/^services\/traces\/src\/sessions\/|^test\/oracle\/reference-traces/, /^turns /, "a field of the API's answers"],
];

const isException = ({ file, text }: Finding) =>
  exceptions.some(([files, texts]) => files.test(file) && texts.test(text));
const found = findings();

test("comments, texts, names and READMEs follow the house style", () => {
  const wrong = found.filter((finding) => !isException(finding));
  expect(wrong.map(({ file, line, rule, text }) => `${file}:${line} ${rule} ${text}`)).toEqual([]);
});

test("there are at most 20 exceptions, and each is needed", () => {
  expect(exceptions.length).toBeLessThanOrEqual(20);
  const unused = exceptions.filter(
    ([files, texts]) => !found.some(({ file, text }) => files.test(file) && texts.test(text)),
  );
  expect(unused).toEqual([]);
});

/** `| word | meaning | where |` of a glossary. */
const glossary = [...read("services/README.md").matchAll(/^\| ([a-z][a-z ,]+?) +\| ([^|]+?) +\| `([^`]+)` +\|$/gm)];

test("a word of the glossary has one meaning, and its place exists", () => {
  expect(glossary.length).toBeGreaterThan(20);
  const terms = glossary.flatMap(([, words = ""]) => words.split(", "));
  expect(terms.filter((word, at) => terms.indexOf(word) !== at)).toEqual([]);
  const places = glossary.map(([, , , place = ""]) => join("services", place));
  expect(places.filter((place) => !existsSync(join(root, place)))).toEqual([]);
});
