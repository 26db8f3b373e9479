// `ems erase`: everything of one end user of the application.

import { setTimeout as delay } from "node:timers/promises";
import type { Command } from "commander";
import type { Json } from "../api.ts";
import { apiClient, type Cli, printResult } from "../cli.ts";
import { table } from "../table.ts";

interface EraseOptions {
  readonly user: string;
  readonly dryRun?: boolean;
}

const everyMs = 1_000;

export function addErase(program: Command, cli: Cli): void {
  program
    .command("erase")
    .description("erase the traces of one end user, and every text that was made of them")
    .requiredOption("--user <id>", "the application's end user, as traces say it; not one of this product's users")
    .option("--dry-run", "count only")
    .action(async ({ user, dryRun = false }: EraseOptions, command: Command) => {
      const api = apiClient(cli, command);
      const { found, data } = await api.post("/v0/erasures", { user, dryRun });
      if (dryRun) return printResult(cli, command, { found }, () => countsTable("Found", found));
      let erasure: Json = data;
      while (erasure.status !== "COMPLETED") {
        await delay(everyMs);
        ({ data: erasure } = await api.get(`/v0/erasures/${erasure.id}`));
      }
      printResult(cli, command, erasure, () => `${countsTable("Erased", erasure.erased)}\nErasure ${erasure.id}`);
    });
}

function countsTable(title: string, counts: Json): string {
  const rows = Object.entries(counts as Record<string, number>).map(([kind, count]) => [wordsOf(kind), count]);
  return table(["Kind", { title, alignRight: true }], rows);
}

/** `human annotations` of `humanAnnotations`. */
function wordsOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
