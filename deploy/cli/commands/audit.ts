// `ems audit`: lists changes in the application and who made them.

import { byteOrderMark, formatCsvCell } from "@ems/kit/readers";
import { type Command, Option } from "commander";
import type { Json } from "../api.ts";
import { apiClient, type Cli, repeatable } from "../cli.ts";

interface ExportOptions {
  readonly format: "csv" | "jsonl";
  readonly resource?: readonly string[];
  readonly entity?: string;
  readonly key?: string;
  readonly user?: string;
  readonly since?: string;
  readonly until?: string;
}

// biome-ignore format: several per line
const columns = [
  "createdAt", "resource", "entityId", "action", "operation",
  "keyId", "caller", "userId", "requestId", "id", "changes",
] as const;

export function addAudit(program: Command, cli: Cli): void {
  const audit = program.command("audit").description("who changed what in the application");
  audit
    .command("export")
    .description("print the audit log, oldest first, to stdout")
    .addOption(new Option("--format <format>", "of the output").choices(["csv", "jsonl"]).default("jsonl"))
    .option("--resource <resource>", "only changes of such resources, as topic or api-key; repeatable", repeatable)
    .option("--entity <id>", "only changes of what has this id")
    .option("--key <id>", "only changes with this API key")
    .option("--user <id>", "only changes on behalf of this user")
    .option("--since <time>", "only changes at this time or later")
    .option("--until <time>", "only changes at this time or earlier")
    .action(async ({ format, ...filters }: ExportOptions, command: Command) => {
      if (format === "csv") cli.out(`${byteOrderMark}${columns.join(",")}`);
      const line = format === "csv" ? csvLine : JSON.stringify;
      for await (const entry of apiClient(cli, command).list("/v0/audit-log", toQuery(filters))) cli.out(line(entry));
    });
}

function toQuery({ resource, entity, key, user, since, until }: Omit<ExportOptions, "format">) {
  return {
    ...(resource !== undefined && { resource }),
    ...(entity !== undefined && { entityId: entity }),
    ...(key !== undefined && { keyId: key }),
    ...(user !== undefined && { userId: user }),
    ...(since !== undefined && { startDate: since }),
    ...(until !== undefined && { endDate: until }),
  };
}

function csvLine(entry: Json): string {
  return columns.map((column) => csvCell(entry[column])).join(",");
}

/** Formats a cell for spreadsheets. Texts are written unchanged, other values as JSON. */
function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  return formatCsvCell(typeof value === "string" ? value : JSON.stringify(value));
}
