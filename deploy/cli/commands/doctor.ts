// `ems doctor`: looks at everything that it is told of and can reach, and says what to do. Changes nothing.

import type { Command } from "commander";
import { answer, baseUrlOf, type Cli, settingsOf } from "../cli.ts";
import type { NamedFinding } from "../doctor/examine.ts";
import { Failure } from "../failure.ts";
import { oneLine } from "../terminal.ts";

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
      answer(cli, command, { findings }, () => findings.map(inWords).join("\n"));
      if (findings.some(({ status }) => status === "failure")) throw new Failure("Something is wrong.");
    });
}

/** What was found, and below it what to do: whole sentences, which a column would cut. */
function inWords({ status, name, detail, advice }: NamedFinding): string {
  const found = `${status.padEnd(8)} ${name.padEnd(12)} ${oneLine(detail)}`;
  return advice === undefined ? found : `${found}\n${" ".repeat(22)}→ ${oneLine(advice)}`;
}
