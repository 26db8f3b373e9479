// `ems rerun`: evaluates the tests of a run again that have no verdict.

import { type Command, Option } from "commander";
import { apiClient, type Cli, printResult } from "../cli.ts";

const causes = ["configuration", "judge", "application"] as const;

interface RerunOptions {
  readonly cause?: (typeof causes)[number];
}

export function addRerun(program: Command, cli: Cli): void {
  program
    .command("rerun")
    .description("evaluate the errored tests of a run again; the application receives nothing")
    .argument("<run>", "id of the run")
    .addOption(new Option("--cause <cause>", "only tests that errored for this cause").choices(causes))
    .action(async (runId: string, { cause }: RerunOptions, command: Command) => {
      const api = apiClient(cli, command);
      const errorCause = (cause === undefined ? causes : [cause]).map((name) => name.toUpperCase());
      const total = { count: 0, archived: 0 };
      for (let remaining = 1; remaining > 0; ) {
        const { count, archived: inArchive, ...rest } = await api.post("/v0/evals/rerun", { runId, errorCause });
        total.count += count;
        total.archived = inArchive;
        // A request that reruns nothing would be repeated forever.
        remaining = count === 0 ? 0 : rest.remaining;
      }
      printResult(cli, command, total, () => {
        const archived = total.archived === 0 ? "" : `; ${total.archived} are in the archive and unchanged`;
        return `${total.count} evaluations run again${archived}`;
      });
    });
}
