// `ems run`: triggers tests of tasks. With --wait, its exit code reports whether enough tests passed.

import { access, constants, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import type { Json } from "../api.ts";
import { apiClient, type Cli, integerBetween, printResult } from "../cli.ts";
import { exits, Failure, usage } from "../failure.ts";
import { awaitRun } from "../run/await-run.ts";
import { junitReport } from "../run/junit.ts";
import { type LabelOptions, labelsHelp, runLabels } from "../run/labels.ts";
import { type Outcome, toOutcome } from "../run/outcome.ts";
import { outcomeText } from "../run/outcome-text.ts";

interface RunOptions extends LabelOptions {
  readonly repeat?: number;
  readonly simulate?: boolean;
  readonly wait?: boolean;
  readonly failUnder?: number;
  readonly maxErrors: number;
  readonly junit?: string;
  readonly timeout: number;
}

export function addRun(program: Command, cli: Cli): void {
  program
    .command("run")
    .description("test tasks: put their prompts to the application, and wait for the results")
    .argument("<task...>", "ids of tasks")
    .option("--repeat <number>", "tests of each prompt, up to 20", integerBetween(1, 20))
    .option("--simulate", "let a model write prompts of NORMAL tasks")
    .option("--name <text>", "name of the run; the time is added if another run has it")
    .option("--version <text>", "version of the application; default from CI variables, see below")
    .option("--commit <text>", "commit of the application; default from CI variables, see below")
    .option("--notes <text>", "notes")
    .option("--wait", "wait for the results; fail unless enough tests passed")
    .option("--fail-under <rate>", "minimum pass rate, 0 to 1; default 1; implies --wait", rate)
    .option(
      "--max-errors <number>",
      "maximum number of tests without a verdict that was due",
      integerBetween(0, 1e6),
      0,
    )
    .option("--junit <file>", "write the results as JUnit XML; implies --wait")
    .option("--timeout <minutes>", "maximum wait, in minutes", integerBetween(1, 7 * 24 * 60), 60)
    .addHelpText("after", labelsHelp)
    .action(async (taskIds: string[], options: RunOptions, command: Command) => {
      const api = apiClient(cli, command);
      const { repeat, simulate, failUnder = 1, maxErrors, junit, timeout } = options;
      if (junit !== undefined) await assertWritable(junit);
      const labels = runLabels(cli, options);
      const json = { taskIds, ...(repeat !== undefined && { repeat }), ...(simulate && { simulate }), ...labels };
      const { headers } = await api.send("POST", "/v0/tasks/trigger", { json });
      const runId = headers.get("location")?.split("/").at(-1);
      if (runId === undefined) throw new Failure("The response names no run: the product is older than this command.");
      const waits = options.wait || options.failUnder !== undefined || junit !== undefined;
      if (!waits) return printResult(cli, command, { runId }, () => runId);

      cli.info(`Run ${runId}`);
      const run = await awaitRun(cli, api, runId, timeout * 60_000);
      const tests: Json[] = [];
      for await (const test of api.list("/v0/tests", { runId })) tests.push(test);
      const outcome = toOutcome(run, tests);
      printResult(cli, command, outcome, () => outcomeText(outcome));
      if (junit !== undefined) await writeFile(junit, junitReport(outcome));
      assertMeasured(outcome, maxErrors);
      assertPassed(outcome, failUnder);
    });
}

/** Throws if too many tests have no verdict, so that the rate is no measure of the application. */
function assertMeasured({ runId, tests, errored }: Outcome, maxErrors: number): void {
  if (errored <= maxErrors) return;
  const causes = Map.groupBy(
    tests.filter(({ outcome }) => outcome === "ERRORED"),
    ({ errorCause }) => errorCause?.toLowerCase() ?? "unknown",
  );
  const byCause = [...causes].map(([cause, ofCause]) => `${cause} ${ofCause.length}`).join(", ");
  const advice = causes.has("application") && causes.size === 1 ? "" : ` Evaluate them again: ems rerun ${runId}`;
  throw new Failure(`${errored} of ${tests.length} tests could not be judged (${byCause}).${advice}`, exits.errored);
}

/** Throws if too few tests passed, or if no test was judged. */
function assertPassed({ passRate, failed, passed }: Outcome, failUnder: number): void {
  if (passRate === null) throw new Failure("No test was judged: no evaluator applies to the tasks.");
  if (passRate >= failUnder) return;
  // Do not round the rate if the rounded rate would not be under the limit.
  const displayedRate = Number(passRate.toFixed(3)) < failUnder ? passRate.toFixed(3) : passRate;
  throw new Failure(`${passed} of ${passed + failed} judged tests passed: ${displayedRate} is under ${failUnder}.`);
}

/** Checks before the tests start that the report file can be written. */
async function assertWritable(file: string): Promise<void> {
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  await access(isThere ? file : dirname(file), constants.W_OK).catch((error: unknown) => {
    throw usage(`--junit: ${file} cannot be written: ${error instanceof Error ? error.message : error}`);
  });
}

function rate(text: string): number {
  const number = Number(text);
  if (text.trim() !== "" && number >= 0 && number <= 1) return number;
  throw new InvalidArgumentError("Must be a number from 0 to 1.");
}
