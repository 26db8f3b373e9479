// Changed prompts, schemas or formulas give different results, so reports must be able to distinguish them by version.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { prompt as custom, version as customVersion } from "./custom/prompt.ts";
import { prompt as fact, version as factVersion } from "./fact/prompt.ts";
import { instructions } from "./model-judge.ts";
import { prompt as naturalness, version as naturalnessVersion } from "./naturalness/prompt.ts";
import { version as outputMatchVersion } from "./output-match/version.ts";
import { prompt as recall, version as recallVersion } from "./recall/prompt.ts";
import { prompt as style, version as styleVersion } from "./style/prompt.ts";

const source = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const digest = (folder: string, ...texts: string[]) =>
  createHash("sha256")
    .update([...texts, source(`${folder}/score.ts`)].join("\0"))
    .digest("hex")
    .slice(0, 12);
const judged = (folder: string, prompt: string) => digest(folder, instructions(prompt), source(`${folder}/answer.ts`));

const outputMatch = ["multiset.ts", "list-items.ts"];
/** Files of the library of assertions that decide which texts are equal. */
const library = (path: string) => source(import.meta.resolve(`@ems/assertions/${path}`));

test("a change of a judge's instructions or computation requires a new version, and an update of this table", () => {
  expect({
    [customVersion]: judged("custom", custom),
    [factVersion]: judged("fact", fact),
    [naturalnessVersion]: judged("naturalness", naturalness),
    [recallVersion]: judged("recall", recall),
    [styleVersion]: judged("style", style),
    [outputMatchVersion]: digest(
      "output-match",
      ...outputMatch.map((file) => source(`output-match/${file}`)),
      library("fold"),
      library("extract-texts"),
      library("matches"),
    ),
  }).toMatchInlineSnapshot(`
    {
      "custom/1": "4218401af03c",
      "fact/1": "298ffa0277f6",
      "naturalness/1": "1c2dc1966c85",
      "output-match/2": "0195f0ae530e",
      "recall/1": "45b86eac41ab",
      "style/1": "0bdb02dbc991",
    }
  `);
});
