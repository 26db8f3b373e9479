// `ems queues`: state of every service's queues.

import type { Command } from "commander";
import type { Cli } from "../cli.ts";

export function addQueues(program: Command, cli: Cli): void {
  program
    .command("queues")
    .description("operator: jobs that are due or leased in each queue, its lag, and the most attempts of a job")
    .action(async (_options: object, command: Command) => {
      // Imported lazily, because the module loads the database driver.
      const { listQueues } = await import("../queues.ts");
      await listQueues(cli, command);
    });
}
