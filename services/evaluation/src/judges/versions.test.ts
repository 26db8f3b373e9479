// Changed prompts, schemas or formulas give different results, so reports must be able to distinguish them by version.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { customAnswer } from "./custom/answer.ts";
import { prompt as custom, version as customVersion } from "./custom/prompt.ts";
import { factAnswer } from "./fact/answer.ts";
import { prompt as fact, version as factVersion } from "./fact/prompt.ts";
import type { AnswerSchema } from "./judge.ts";
import { instructions } from "./model-judge.ts";
import { naturalnessAnswer } from "./naturalness/answer.ts";
import { prompt as naturalness, version as naturalnessVersion } from "./naturalness/prompt.ts";
import { version as outputMatchVersion } from "./output-match/version.ts";
import { recallAnswer } from "./recall/answer.ts";
import { prompt as recall, version as recallVersion } from "./recall/prompt.ts";
import { styleAnswer } from "./style/answer.ts";
import { prompt as style, version as styleVersion } from "./style/prompt.ts";

const source = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const digest = (folder: string, ...texts: string[]) =>
  createHash("sha256")
    .update([...texts, source(`${folder}/score.ts`)].join("\0"))
    .digest("hex")
    .slice(0, 12);
/** The spellings in which an answer is read do not count: the same judgment has the same score. */
const judged = (folder: string, prompt: string, { json }: AnswerSchema<unknown>, ...texts: string[]) =>
  digest(folder, instructions(prompt), JSON.stringify(json), ...texts);
/** Items of these judges count only with a valid quote. */
const evidence = source("evidence.ts");

const outputMatch = ["multiset.ts", "maximum-flow.ts", "extract.ts", "matches.ts"];

test("a change of a judge's instructions or computation requires a new version, and an update of this table", () => {
  expect({
    [customVersion]: judged("custom", custom, customAnswer),
    [factVersion]: judged("fact", fact, factAnswer, evidence),
    [naturalnessVersion]: judged("naturalness", naturalness, naturalnessAnswer),
    [recallVersion]: judged("recall", recall, recallAnswer(1), evidence),
    [styleVersion]: judged("style", style, styleAnswer(1)),
    [outputMatchVersion]: digest("output-match", ...outputMatch.map((file) => source(`output-match/${file}`))),
  }).toMatchInlineSnapshot(`
    {
      "custom/1": "5bbaae0c2056",
      "fact/2": "aea7d9f6676d",
      "naturalness/1": "4d26ede8417f",
      "output-match/1": "5207c27f93da",
      "recall/2": "fcdef549cd83",
      "style/1": "4df0ede68417",
    }
  `);
});
