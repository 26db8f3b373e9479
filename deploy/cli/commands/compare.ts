// `ems compare`: compares two runs. With --fail-worse, its exit code reports a regression.

import { type Command, InvalidArgumentError } from "commander";
import type { Json } from "../api.ts";
import { apiClient, type Cli, integerBetween, printResult } from "../cli.ts";
import { exits, Failure } from "../failure.ts";
import { table } from "../table.ts";
import { oneLine } from "../terminal.ts";

interface CompareOptions {
  readonly detect?: number;
  readonly failWorse?: boolean;
  readonly maxErrors: number;
}

export function addCompare(program: Command, cli: Cli): void {
  program
    .command("compare")
    .description("compare a run with a baseline, with the smallest detectable difference")
    .argument("<baseline>", "id of the run to compare with")
    .argument("<run>", "id of the run")
    .option(
      "--detect <difference>",
      "the difference of pass rates to say the needed tasks for; default 0.05",
      difference,
    )
    .option("--fail-worse", "fail when all tests, or those of a definition, got worse with evidence")
    .option(
      "--max-errors <number>",
      "maximum number of tests of a run without a verdict that was due",
      integerBetween(0, 1e6),
      0,
    )
    .action(async (a: string, b: string, { detect, failWorse, maxErrors }: CompareOptions, command: Command) => {
      const api = apiClient(cli, command);
      const query = new URLSearchParams({ a, b, ...(detect !== undefined && { detect: String(detect) }) });
      const { data } = await api.get(`/v0/runs/compare?${query}`);
      printResult(cli, command, data, () => comparisonText(data));
      assertComparable(data, maxErrors);
      const worse = listComparisons(data).filter(({ difference: { verdict } }) => verdict === "worse");
      if (failWorse && worse.length > 0) {
        throw new Failure(`Worse: ${worse.map(({ name }) => oneLine(name)).join(", ")}.`);
      }
    });
}

/** Throws if errors prevent a conclusion, which is not the same as a regression. */
function assertComparable({ baseline, variant, difference }: Json, maxErrors: number): void {
  if (difference.verdict === "not_comparable") throw new Failure(difference.summary, exits.errored);
  const errored = Math.max(baseline.errored, variant.errored);
  if (errored <= maxErrors) return;
  const counts = `baseline ${baseline.errored}, run ${variant.errored}`;
  throw new Failure(`Tests could not be judged: ${counts}. Evaluate them again with ems rerun.`, exits.errored);
}

const listComparisons = ({ baseline, variant, difference, definitions }: Json): Json[] => [
  { name: "All tests", baseline, variant, difference },
  ...definitions.map((comparison: Json) => ({
    ...comparison,
    name: comparison.definition.name || comparison.definition.id,
  })),
];

const heads = ["", "Baseline", "Run", "Difference", "p", "Tasks", "Errored", "Needed"].map((title, at) =>
  at === 0 ? title : { title, alignRight: true },
);

function comparisonText(data: Json): string {
  const rows = listComparisons(data).map(({ name, baseline, variant, difference }) => [
    name,
    rateText(baseline.passRate),
    rateText(variant.passRate),
    rateText(difference.passRate),
    difference.passRate?.adjustedP?.toFixed(3),
    difference.commonTasks,
    `${baseline.errored} / ${variant.errored}`,
    difference.tasksNeeded,
  ]);
  const summaries = listComparisons(data).map(({ name, difference }) => `${oneLine(name)}: ${difference.summary}`);
  const changed = data.changedTasks.map(({ task, baseline, variant }: Json) => [
    variant.passed ? "passes now" : "fails now",
    task.title || task.id,
    baseline.testId,
    variant.testId,
  ]);
  const changes =
    changed.length === 0 ? [] : ["", table(["Changed", "Task", "Baseline's test", "Run's test"], changed)];
  return [table(heads, rows), "", ...summaries, ...changes].join("\n");
}

function rateText(estimate: Json | null): string | undefined {
  if (estimate === null) return undefined;
  const { value, low, high } = estimate;
  return low === null ? value.toFixed(2) : `${value.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}

function difference(text: string): number {
  const number = Number(text);
  if (number >= 0.001 && number <= 1) return number;
  throw new InvalidArgumentError("Must be a number from 0.001 to 1.");
}
