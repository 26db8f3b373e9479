// `ems doctor`: looks at everything that it is told of and can reach, and says what to do. Changes nothing.

import type { Command } from "commander";
import { answer, baseUrlOf, type Cli, settingsOf } from "../cli.ts";
import { Failure } from "../failure.ts";
import { table } from "../table.ts";

export function addDoctor(program: Command, cli: Cli): void {
  program
    .command("doctor")
    .description("look at configuration, API, database, relay, NATS, clock and disk, and say what to do")
    .addHelpText(
      "after",
      "\nThe database is that of OWNER_DATABASE_URL and RELAY_DATABASE_URL, else of the installation in DATA_DIR.",
    )
    .action(async (_options: object, command: Command) => {
      // What it needs is much, and no other command needs it.
      const { examine } = await import("../doctor/examine.ts");
      const findings = await examine(cli, { baseUrl: baseUrlOf(cli, command), ...settingsOf(cli, command) });
      const heads = ["", "", "", ""].map((title) => ({ title }));
      answer(cli, command, { findings }, () =>
        table(
          heads,
          findings.map(({ name, status, detail, advice = "" }) => [status, name, detail, advice]),
        ).trimStart(),
      );
      if (findings.some(({ status }) => status === "failure")) throw new Failure("Something is wrong.");
    });
}
