// A changed prompt, schema or formula gives other results, which reports must be able to distinguish by version.

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

const outputMatch = ["multiset.ts", "maximum-flow.ts", "extract.ts", "matches.ts"];

test("a change of a judge's instructions or computation requires a new version, and an update of this table", () => {
  expect({
    [customVersion]: judged("custom", custom),
    [factVersion]: judged("fact", fact),
    [naturalnessVersion]: judged("naturalness", naturalness),
    [recallVersion]: judged("recall", recall),
    [styleVersion]: judged("style", style),
    [outputMatchVersion]: digest("output-match", ...outputMatch.map((file) => source(`output-match/${file}`))),
  }).toMatchInlineSnapshot(`
    {
      "custom/1": "19e278d4bd03",
      "fact/1": "5800f9162a2d",
      "naturalness/1": "da0f583bd2b5",
      "output-match/1": "58d5fd7e5cfc",
      "recall/1": "713e6470945c",
      "style/1": "fc12e75e9b88",
    }
  `);
});
