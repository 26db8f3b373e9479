// Commands for operators: bootstrap, seed, backup, restore, secrets, migrate.

import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { type Cli, isJson, printResult } from "../cli.ts";
import { Failure } from "../failure.ts";
import { runProgram } from "../run-program.ts";
import { table } from "../table.ts";

export function addOperate(program: Command, cli: Cli): void {
  program
    .command("bootstrap")
    .description("operator: create an API key, and its organization, application and user if missing")
    .option("--organisation <name>", "created if missing; default the first one")
    .option("--application <title>", "created if missing; default the first one")
    .option("--user <name>", "owner of the key; default the first one")
    .option("--email <address>", "e-mail address of that user")
    .action((options: Flags, command: Command) => runProgram(cli, "bootstrap", flags(options, command)));
  program
    .command("seed")
    .description("operator: fill an application with realistic sample data, once")
    .addOption(new Option("--size <size>", "amount of data").choices(["small", "demo", "load"]).default("demo"))
    .option("--until <date>", "last day of the data, such as 2026-10-31; default today")
    .option("--organisation <name>", "created if missing; default the first one")
    .option("--application <title>", "created if missing; default the first one")
    .action((options: Flags, command: Command) => runProgram(cli, "seed", flags(options, command)));
  program
    .command("backup [file]")
    .description("operator: write a consistent backup of all services to a file or stdout")
    .option("--keep <number>", "in a directory: keep this many of the newest backups and delete the others")
    .action((file: string | undefined, options: Flags) =>
      runProgram(cli, "backup", [...resolvePath(file), ...toArguments(options)]),
    );
  program
    .command("restore [file]")
    .description("operator: restore a backup from a file or stdin into an empty installation")
    .option("--check", "only read the backup completely and print its content")
    .action((file: string | undefined, { check }: { check?: boolean }) =>
      runProgram(cli, "restore", [...resolvePath(file), ...(check ? ["--check"] : [])]),
    );
  program
    .command("secrets")
    .description("operator: print generated secrets of a new installation")
    .addOption(
      new Option("--format <format>", "form of the output")
        .choices(["compose", "env", "kubernetes"])
        .default("compose"),
    )
    .option("--name <prefix>", "kubernetes: prefix of the Secrets' names; default ems")
    .option("--namespace <namespace>", "kubernetes: namespace of the Secrets")
    .option("--database-url <url>", "kubernetes: URL of PostgreSQL; adds a URL for each role")
    .option("--role-prefix <text>", "kubernetes: prefix of the roles' names in those URLs")
    .action((options: Flags) => runProgram(cli, "secrets", toArguments(options)));
  const migrate = program
    .command("migrate")
    .description("operator: run pending migrations")
    .option("--dry-run", "only list the pending migrations")
    .option("--list", "only list all migrations, with a description and whether they ran")
    .action(async ({ dryRun, list }: { dryRun?: boolean; list?: boolean }, command: Command) => {
      if (list) {
        const { migrationList } = await import("../migrations.ts");
        const migrations = await migrationList(await ownerDatabase(cli));
        const rows = migrations.map(({ state, schema, title, day }) => [state, schema, title, day]);
        return printResult(cli, command, { migrations }, () => table(["State", "Schema", "Migration", "Of"], rows));
      }
      if (!dryRun) return runProgram(cli, "migrate", []);
      const schemas = await migrationStates(cli);
      const pending = schemas.flatMap(({ schema, pending }) => pending.map((name) => ({ schema, name })));
      const text = () => pending.map(({ schema, name }) => `${schema}: ${name}`).join("\n") || "No pending migrations.";
      printResult(cli, command, { pending }, text);
    });
  migrate
    .command("status")
    .description("list applied and pending migrations by schema; exit 1 when any are pending")
    .action(async (_options: object, command: Command) => {
      const schemas = await migrationStates(cli);
      const heads = ["Schema", "Applied", "Pending", "Unknown"].map((title, at) => ({ title, alignRight: at > 0 }));
      const rows = schemas.map(({ schema, applied, pending, unknown }) => [
        schema,
        applied,
        pending.length,
        unknown.length,
      ]);
      printResult(cli, command, { schemas }, () => table(heads, rows));
      if (schemas.some(({ pending }) => pending.length > 0))
        throw new Failure("Migrations are pending: run ems migrate.");
    });
}

/** Returns the absolute path as an argument, because the started program runs in the product's folder. */
function resolvePath(file: string | undefined): string[] {
  return file === undefined ? [] : [resolve(file)];
}

type Flags = Readonly<Record<string, string>>;

function flags(options: Flags, command: Command): string[] {
  const args = toArguments(options);
  return isJson(command) ? [...args, "--json"] : args;
}

/** Converts parsed options back to flags. Commander names the option `--database-url` `databaseUrl`. */
function toArguments(options: Flags): string[] {
  const dashed = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return Object.entries(options).flatMap(([name, value]) => [`--${dashed(name)}`, value]);
}

/** Lists migration states. Imported lazily, because the module loads every service's migrations. */
async function migrationStates(cli: Cli) {
  const { schemaStates } = await import("../migrations.ts");
  return schemaStates(await ownerDatabase(cli));
}

async function ownerDatabase(cli: Cli): Promise<string> {
  const { databaseAs } = await import("../operator.ts");
  return databaseAs(cli, "ems_owner");
}
