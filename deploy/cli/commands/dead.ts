// `ems dead`: dead letters, the messages that could not be handled as events.

import { timestampDate } from "@bufbuild/protobuf/wkt";
import { DeadLetterService } from "@ems/proto/notifications/v1/dead_letter_service";
import type { Command } from "commander";
import { type Cli, integerBetween, printResult } from "../cli.ts";
import { exits, Failure } from "../failure.ts";
import { table } from "../table.ts";
import { oneLine } from "../terminal.ts";
import { withOperator } from "../with-operator.ts";

const listTimeoutMs = 30_000;
/** Retrying is one transaction each. */
const retryTimeoutMs = 600_000;

export function addDead(program: Command, cli: Cli): void {
  const dead = program.command("dead").description("operator: dead letters, events that could not be handled");
  dead
    .command("list")
    .description("list dead letters with their reasons, newest first")
    .option("--limit <number>", "maximum number of dead letters", integerBetween(1, 10_000), 100)
    .action(async ({ limit }: { limit: number }, command: Command) => {
      const response = await withOperator(cli, DeadLetterService, (client) =>
        client.listDeadLetters({ limit }, { timeoutMs: listTimeoutMs }),
      );
      const deadLetters = response.deadLetters.map(({ applicationId, id, subject, reason, deadLetteredAt: at }) => {
        return { applicationId, id, subject, reason, deadLetteredAt: at && timestampDate(at).toISOString() };
      });
      const heads = ["Since", "Id", "Application", "Subject", "Reason"];
      const rows = deadLetters.map((one) => [one.deadLetteredAt, one.id, one.applicationId, one.subject, one.reason]);
      printResult(cli, command, { deadLetters }, () => (rows.length === 0 ? "No dead letters." : table(heads, rows)));
    });
  dead
    .command("retry [id...]")
    .description("handle dead letters again, all without an id; those that fail again stay")
    .action(async (ids: string[], _options: object, command: Command) => {
      const { handledIds, failures } = await withOperator(cli, DeadLetterService, (client) =>
        client.retryDeadLetters({ ids }, { timeoutMs: retryTimeoutMs }),
      );
      const failed = failures.map(({ id, reason }) => ({ id, reason }));
      const lines = [
        ...handledIds.map((id) => `handled  ${id}`),
        ...failed.map(({ id, reason }) => `failed   ${id}: ${oneLine(reason)}`),
      ];
      const text = () => lines.join("\n") || "No dead letters.";
      printResult(cli, command, { handled: handledIds, failed }, text);
      const unknown = ids.filter((id) => !handledIds.includes(id) && !failed.some((one) => one.id === id));
      if (unknown.length > 0) throw new Failure(`Unknown dead letters: ${unknown.join(", ")}.`, exits.notFound);
      if (failed.length > 0) throw new Failure(`${failed.length} dead letters still cannot be handled.`);
    });
}
