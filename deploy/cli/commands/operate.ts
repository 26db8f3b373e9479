// What operators do: keys for new applications, data to look at, migrations.

import { type Command, Option } from "commander";
import { answer, type Cli, isJson } from "../cli.ts";
import { Failure } from "../failure.ts";
import { runProgram } from "../run-program.ts";
import { table } from "../table.ts";

export function addOperate(program: Command, cli: Cli): void {
  program
    .command("bootstrap")
    .description("operator: an API key, with organisation, application and user made if need be")
    .option("--organisation <name>", "made if need be; the first there is when omitted")
    .option("--application <title>", "made if need be; the first there is when omitted")
    .option("--user <name>", "who is to own the key; the first there is when omitted")
    .option("--email <address>", "of that user")
    .action((options: Flags, command: Command) => runProgram(cli, "bootstrap.ts", flags(options, command)));
  program
    .command("seed")
    .description("operator: fill an application with a believable data set, once")
    .addOption(new Option("--size <size>", "how much").choices(["small", "demo", "load"]).default("demo"))
    .option("--organisation <name>", "made if need be; the first there is when omitted")
    .option("--application <title>", "made if need be; the first there is when omitted")
    .action((options: Flags, command: Command) => runProgram(cli, "seed.ts", flags(options, command)));
  const migrate = program
    .command("migrate")
    .description("operator: bring the database up to date")
    .option("--dry-run", "only tell which migrations would run")
    .action(async ({ dryRun }: { dryRun?: boolean }, command: Command) => {
      if (!dryRun) return runProgram(cli, "migrate.ts", []);
      const schemas = await states(cli);
      const pending = schemas.flatMap(({ schema, pending }) => pending.map((name) => ({ schema, name })));
      const text = () => pending.map(({ schema, name }) => `${schema}: ${name}`).join("\n") || "Nothing would run.";
      answer(cli, command, { pending }, text);
    });
  migrate
    .command("status")
    .description("tell how far each schema is; exit 1 when one is behind")
    .action(async (_options: object, command: Command) => {
      const schemas = await states(cli);
      const heads = ["Schema", "Applied", "Pending", "Unknown"].map((title, at) => ({ title, alignRight: at > 0 }));
      const rows = schemas.map(({ schema, applied, pending, unknown }) => [
        schema,
        applied,
        pending.length,
        unknown.length,
      ]);
      answer(cli, command, { schemas }, () => table(heads, rows));
      if (schemas.some(({ pending }) => pending.length > 0)) throw new Failure("Migrations are pending: ems migrate.");
    });
}

type Flags = Readonly<Record<string, string>>;

function flags(options: Flags, command: Command): string[] {
  const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  return isJson(command) ? [...given, "--json"] : given;
}

/** Knows the migrations of every service, which no other command needs. */
async function states(cli: Cli) {
  const [{ schemaStates }, { databaseAs }] = await Promise.all([import("../migrations.ts"), import("../operator.ts")]);
  return schemaStates(await databaseAs(cli, "ems_owner"));
}
