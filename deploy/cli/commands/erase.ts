// `ems erase`: erases the data of one end user or of a list, such as after an older backup was restored.

import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import type { Command } from "commander";
import type { ApiClient, Json } from "../api.ts";
import { apiClient, type Cli, isJson, printResult } from "../cli.ts";
import { usage } from "../failure.ts";
import { table } from "../table.ts";

interface EraseOptions {
  readonly user?: string;
  readonly users?: string;
  readonly dryRun?: boolean;
}

const everyMs = 1_000;

export function addErase(program: Command, cli: Cli): void {
  program
    .command("erase")
    .description("erase the traces of an end user, and all texts derived from them")
    .option("--user <id>", "end user of the application, as in its traces; not a user of this product")
    .option("--users <file>", "one user a line, each as with --user; - is stdin")
    .option("--dry-run", "count only")
    .action(async ({ user, users, dryRun = false }: EraseOptions, command: Command) => {
      const api = apiClient(cli, command);
      const names = await readUsers(cli, user, users);
      const begun: Json[] = [];
      for (const name of names) begun.push(await api.post("/v0/erasures", { user: name, dryRun }));
      const found = begun.map((erasure) => erasure.found);
      if (dryRun) return printResult(cli, command, { found: sums(found) }, () => countsTable("Found", found));
      const ended: Json[] = [];
      for (const { data } of begun) ended.push(await waitFor(api, data));
      if (isJson(command)) for (const erasure of ended) cli.out(JSON.stringify(erasure));
      else {
        const counts = ended.map(({ erased }) => erased);
        cli.out([countsTable("Erased", counts), ...ended.map(({ id }) => `Erasure ${id}`)].join("\n"));
      }
    });
}

async function waitFor(api: ApiClient, begun: Json): Promise<Json> {
  let erasure = begun;
  while (erasure.status !== "COMPLETED") {
    await delay(everyMs);
    ({ data: erasure } = await api.get(`/v0/erasures/${erasure.id}`));
  }
  return erasure;
}

async function readUsers(cli: Cli, user: string | undefined, users: string | undefined): Promise<string[]> {
  if ((user === undefined) === (users === undefined)) throw usage("Set either --user or --users.");
  if (users === undefined) return [user ?? ""];
  const read = users === "-" ? text(cli.stdin) : readFile(users, "utf8");
  const lines = await read.catch((error: Error) => {
    throw usage(`${users} cannot be read: ${error.message}`);
  });
  const names = lines.split(/\r?\n/).filter((line) => line !== "");
  if (names.length === 0) throw usage(`${users} names no user.`);
  return [...new Set(names)];
}

function sums(counts: readonly Json[]): Record<string, number> {
  const all: Record<string, number> = {};
  for (const kinds of counts) {
    for (const [kind, count] of Object.entries(kinds as Record<string, number>)) all[kind] = (all[kind] ?? 0) + count;
  }
  return all;
}

function countsTable(title: string, counts: readonly Json[]): string {
  const rows = Object.entries(sums(counts)).map(([kind, count]) => [toWords(kind), String(count)]);
  return table(["Kind", { title, alignRight: true }], rows);
}

/** Converts a field name such as `humanAnnotations` to words: `human annotations`. */
function toWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
