// Lists and retries the installation's dead letters for `ems dead`.

import { timestampDate } from "@bufbuild/protobuf/wkt";
import { DeadLetterService } from "@ems/proto/notifications/v1/dead_letter_service";
import type { Command } from "commander";
import { type Cli, printResult } from "./cli.ts";
import { exits, Failure } from "./failure.ts";
import { table } from "./table.ts";
import { oneLine } from "./terminal.ts";
import { withOperator } from "./with-operator.ts";

const listTimeoutMs = 30_000;
/** Long, because one call retries many dead letters, each in its own transaction. */
const retryTimeoutMs = 600_000;

export async function listDeadLetters(cli: Cli, command: Command, limit: number): Promise<void> {
  const response = await withOperator(cli, DeadLetterService, (client) =>
    client.listDeadLetters({ limit }, { timeoutMs: listTimeoutMs }),
  );
  const deadLetters = response.deadLetters.map(({ applicationId, id, subject, reason, deadLetteredAt: at }) => {
    return { applicationId, id, subject, reason, deadLetteredAt: at && timestampDate(at).toISOString() };
  });
  const heads = ["Since", "Id", "Application", "Subject", "Reason"];
  const rows = deadLetters.map((letter) => [
    letter.deadLetteredAt,
    letter.id,
    letter.applicationId,
    letter.subject,
    letter.reason,
  ]);
  printResult(cli, command, { deadLetters }, () => (rows.length === 0 ? "No dead letters." : table(heads, rows)));
}

export async function retryDeadLetters(cli: Cli, command: Command, ids: string[]): Promise<void> {
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
  const unknown = ids.filter((id) => !handledIds.includes(id) && !failed.some((letter) => letter.id === id));
  if (unknown.length > 0) throw new Failure(`Unknown dead letters: ${unknown.join(", ")}.`, exits.notFound);
  if (failed.length > 0) throw new Failure(`${failed.length} dead letters still cannot be handled.`);
}
