// `npm run simulate` checks the claims of comparisons and calibrations on experiments whose truth is known.

import { parseArgs } from "node:util";
import { calibrations } from "./calibrations.ts";
import { seededDraws } from "./random.ts";
import { type Row, scenarios } from "./scenarios.ts";
import { topicScenarios } from "./topics.ts";

const { values } = parseArgs({
  options: { seed: { type: "string", default: "1" }, experiments: { type: "string", default: "20000" } },
});
const [seed, experiments] = [Number(values.seed), Number(values.experiments)];
if (!Number.isInteger(seed)) throw new Error("--seed must be a whole number");
if (!Number.isInteger(experiments) || experiments < 100) throw new Error("--experiments must be 100 or more");

/** Returns two standard errors of a simulated share. */
const samplingError = (share: number, count = Number.POSITIVE_INFINITY) => 2 * Math.sqrt((share * (1 - share)) / count);
const isKept = ({ share, experiments: count, aim: [low, high] }: Row) =>
  share >= low - samplingError(low, count) && share <= high + samplingError(high, count);
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

const draws = seededDraws(seed);
const rows = [
  ...[...scenarios, ...calibrations].map((scenario) => scenario(draws, experiments)),
  ...topicScenarios.map((scenario) => scenario(seededDraws(seed), experiments)),
];
console.log(`Seed ${seed}, ${experiments} experiments a row\n`);
console.log("|   | share | aim |  |");
console.log("| - | --: | --: | - |");
for (const row of rows) {
  const [low, high] = row.aim;
  const aim =
    low === 0 ? `≤ ${percent(high)}` : high === 1 ? `≥ ${percent(low)}` : `${percent(low)} to ${percent(high)}`;
  console.log(`| ${row.what} | ${percent(row.share)} | ${aim} | ${isKept(row) ? "" : "missed"} |`);
}
process.exitCode = rows.every(isKept) ? 0 : 1;
