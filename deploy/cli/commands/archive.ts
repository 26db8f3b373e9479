// `ems archive`: status, manual runs, verification and restore of the archive.

import type { Scope } from "@ems/archive";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Cli } from "../cli.ts";

export function addArchive(program: Command, cli: Cli): void {
  const archive = program.command("archive").description("operator: old traces and results in ClickHouse");
  const add = (name: "status" | "run" | "verify" | "restore", description: string) =>
    archive
      .command(name)
      .description(description)
      // Imported lazily, because the module loads the experiments service.
      .action(async (options: Scope, command: Command) => (await import("../archive.ts"))[name](cli, command, options));
  add("status", "rows and states by kind, application and month, and how late archiving is");
  add("run", "archive until nothing is due");
  add("verify", "compare counts and sums with what PostgreSQL had; exit 1 when they differ");
  add("restore", "restore rows to PostgreSQL, where they stay for ARCHIVE_AFTER_DAYS")
    .requiredOption("--application <id>", "the application whose rows they are", id)
    .addOption(new Option("--kind <kind>", "only these").choices(["results", "traces"]))
    .option("--month <YYYY-MM>", "only those of a month (UTC)", month);
}

function id(text: string): string {
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)) return text;
  throw new InvalidArgumentError("Must be an id (UUID).");
}

function month(text: string): string {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return text;
  throw new InvalidArgumentError("Must be a month such as 2026-10.");
}
