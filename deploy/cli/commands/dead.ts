// `ems dead`: messages that came as events and could not be handled. Read and taken in as the relay's role.

import type { Command } from "commander";
import { asRelay } from "../as-relay.ts";
import { type Cli, integerBetween, printResult } from "../cli.ts";
import { exits, Failure } from "../failure.ts";
import { table } from "../table.ts";
import { oneLine } from "../terminal.ts";

export function addDead(program: Command, cli: Cli): void {
  const dead = program.command("dead").description("operator: messages that came as events and could not be handled");
  dead
    .command("list")
    .description("the newest ones, and why")
    .option("--limit <number>", "the most messages", integerBetween(1, 10_000), 100)
    .action(async ({ limit }: { limit: number }, command: Command) => {
      const events = await asRelay(cli, openDeadEvents, ({ list }) => list(limit));
      const heads = ["Buried", "Id", "Application", "Subject", "Reason"].map((title) => ({ title }));
      const rows = events.map((one) => [
        one.buriedAt.toISOString(),
        one.id,
        one.applicationId,
        one.subject,
        one.reason,
      ]);
      printResult(cli, command, { events }, () => (rows.length === 0 ? "Nothing." : table(heads, rows)));
    });
  dead
    .command("retry [id...]")
    .description("take them in again, all without an id; what still cannot be handled stays")
    .action(async (ids: string[], _options: object, command: Command) => {
      const { taken, left } = await asRelay(cli, openDeadEvents, ({ retry }) =>
        retry(ids.length > 0 ? ids : undefined),
      );
      const lines = [
        ...taken.map((id) => `taken in  ${id}`),
        ...left.map(({ id, reason }) => `left      ${id}: ${oneLine(reason)}`),
      ];
      printResult(cli, command, { taken, left }, () => lines.join("\n") || "Nothing.");
      const unknown = ids.filter((id) => !taken.includes(id) && !left.some((one) => one.id === id));
      if (unknown.length > 0) throw new Failure(`There is no dead event ${unknown.join(", ")}.`, exits.notFound);
      if (left.length > 0) throw new Failure(`${left.length} still cannot be handled.`);
    });
}

const openDeadEvents = async () => (await import("../dead-events.ts")).openDeadEvents;
