// `ems dead`: lists and retries dead letters, which are messages that no handler could process as events.

import type { Command } from "commander";
import { type Cli, integerBetween } from "../cli.ts";

export function addDead(program: Command, cli: Cli): void {
  const dead = program.command("dead").description("operator: dead letters, events that could not be handled");
  dead
    .command("list")
    .description("list dead letters with their reasons, newest first")
    .option("--limit <number>", "maximum number of dead letters", integerBetween(1, 10_000), 100)
    .action(async ({ limit }: { limit: number }, command: Command) =>
      (await actions()).listDeadLetters(cli, command, limit),
    );
  dead
    .command("retry [id...]")
    .description("handle dead letters again, all without an id; those that fail again stay")
    .action(async (ids: string[], _options: object, command: Command) =>
      (await actions()).retryDeadLetters(cli, command, ids),
    );
}

/** Imported lazily, because the module loads the generated protobuf messages. */
const actions = () => import("../dead-letters.ts");
