// `ems nats`: NATS users for programs that read events.

import { type Command, Option } from "commander";
import type { Cli } from "../cli.ts";
import type { UserOptions } from "../nats-user.ts";

export function addNats(program: Command, cli: Cli): void {
  const nats = program.command("nats").description("operator: NATS users for programs that read events");
  nats
    .command("user <name>")
    .description("create a user that may only read events, and print it with a new password")
    .option(
      "--types <types>",
      "event types, separated by commas, each with its own consumer; default one consumer of all types",
    )
    .option("--application <id>", "only this application's events")
    .addOption(
      new Option("--format <format>", "entry for nats-server's `users`, or for the values of its official chart")
        .choices(["server", "chart"])
        .default("server"),
    )
    .option("--local", "also store the user in DATA_DIR; npm run mesh uses it from its next start")
    .action(async (name: string, options: UserOptions, command: Command) => {
      // Imported lazily, because the module loads the NATS client.
      const { createNatsUser } = await import("../nats-user.ts");
      await createNatsUser(cli, command, name, options);
    });
}
