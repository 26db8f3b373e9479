// `ems doctor`: read-only checks of every configured system that is reachable, with advice for each problem.

import type { Command } from "commander";
import { type Cli, printResult, readCredentials, resolveBaseUrl } from "../cli.ts";
import type { NamedFinding } from "../doctor/examine.ts";
import { Failure } from "../failure.ts";
import { oneLine } from "../terminal.ts";

export function addDoctor(program: Command, cli: Cli): void {
  program
    .command("doctor")
    .description("check configuration, API, database, queues, NATS, clock and disk, and advise")
    .addHelpText(
      "after",
      "\nThe database is that of OWNER_DATABASE_URL and RELAY_DATABASE_URL (or CATALOG_RELAY_DATABASE_URL and so on, one for each\nservice), else of the installation in DATA_DIR. PGBOUNCER_URL names the admin console of a PgBouncer, database pgbouncer.",
    )
    .action(async (_options: object, command: Command) => {
      // Imported lazily, because the module loads drivers that no other command needs.
      const { examine } = await import("../doctor/examine.ts");
      const findings = await examine(cli, { baseUrl: resolveBaseUrl(cli, command), ...readCredentials(cli, command) });
      printResult(cli, command, { findings }, () => findings.map(findingText).join("\n"));
      if (findings.some(({ status }) => status === "failure")) throw new Failure("At least one check failed.");
    });
}

/** Formats a finding, with its advice on a second line. */
function findingText({ status, name, detail, advice }: NamedFinding): string {
  const line = `${status.padEnd(8)} ${name.padEnd(12)} ${oneLine(detail)}`;
  return advice === undefined ? line : `${line}\n${" ".repeat(22)}→ ${oneLine(advice)}`;
}
