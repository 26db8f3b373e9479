import { passingScores } from "@ems/proto/scales";
import { expect, test } from "vitest";
import { passesFrom as fact } from "./fact/score.ts";
import { passesFrom as naturalness } from "./naturalness/score.ts";
import { usualThreshold } from "./output-match/score.ts";
import { passesFrom as recall } from "./recall/score.ts";
import { passesFrom as style } from "./style/score.ts";

test("judges pass from the scores that the API states", () => {
  const judges = { NATURALNESS: naturalness, STYLE: style, RECALL: recall, FACT: fact, OUTPUT_MATCH: usualThreshold };
  expect(judges).toEqual(passingScores);
});
