// Lists unsent feedback and sends it again, for `ems feedback`.

import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Client } from "@connectrpc/connect";
import { FeedbackAdminService, ResendOutcome } from "@ems/proto/notifications/v1/feedback_admin_service";
import type { Command } from "commander";
import { type Cli, printResult } from "./cli.ts";
import { exits, Failure, usage } from "./failure.ts";
import { lines, table } from "./table.ts";
import { withOperator } from "./with-operator.ts";

const listTimeoutMs = 30_000;
/** Longer than the RPC ResendFeedback waits for the mail relay's response. */
const resendTimeoutMs = 90_000;

interface ListOptions {
  readonly limit: number;
  readonly show?: boolean;
}

export async function listFeedback(cli: Cli, command: Command, { limit, show = false }: ListOptions): Promise<void> {
  const found = await withOperator(
    cli,
    FeedbackAdminService,
    (client) => client.listUnsentFeedback({ limit, withText: show }, { timeoutMs: listTimeoutMs }),
    show,
  );
  const rows = found.feedback.map(({ applicationId, id, createdAt, reason, text }) => {
    const created = createdAt && timestampDate(createdAt).toISOString();
    return { applicationId, id, createdAt: created, reason, ...(text !== undefined && { text }) };
  });
  printResult(cli, command, { feedback: rows }, () => (rows.length === 0 ? "No unsent feedback." : listText(rows)));
}

export async function resendFeedback(cli: Cli, command: Command, ids: string[], all: boolean): Promise<void> {
  if (ids.length > 0 === all) throw usage("Name ids, or --all.");
  const results = await withOperator(cli, FeedbackAdminService, async (client) => {
    const done: Resent[] = [];
    for (const id of all ? await unsentIds(client) : new Set(ids)) {
      const { outcome, reason } = await client.resendFeedback({ id }, { timeoutMs: resendTimeoutMs });
      done.push({ id, outcome, reason });
      if (cli.stopped.aborted || outcome === ResendOutcome.NOT_TAKEN_UP) break;
    }
    return done;
  });
  printResent(cli, command, results);
}

interface Listed {
  readonly createdAt: string | undefined;
  readonly id: string;
  readonly applicationId: string;
  readonly reason: string;
  readonly text?: string;
}

interface Resent {
  readonly id: string;
  readonly outcome: ResendOutcome;
  readonly reason: string | undefined;
}

async function unsentIds(client: Client<typeof FeedbackAdminService>): Promise<string[]> {
  const { feedback } = await client.listUnsentFeedback({ oldestFirst: true }, { timeoutMs: listTimeoutMs });
  return feedback.map(({ id }) => id);
}

function listText(rows: readonly Listed[]): string {
  const heads = ["Created", "Id", "Application", "Reason"];
  const cells = rows.map(({ createdAt, id, applicationId, reason }) => [createdAt, id, applicationId, reason]);
  const [head = "", ...tableRows] = table(heads, cells).split("\n");
  const withText = rows.flatMap(({ text }, at) => [
    tableRows[at] ?? "",
    ...(text === undefined ? [] : lines(text).map((line) => `    ${line}`)),
  ]);
  return [head, ...withText].join("\n");
}

function printResent(cli: Cli, command: Command, results: readonly Resent[]): void {
  const listIds = (expected: ResendOutcome) =>
    results.filter(({ outcome }) => outcome === expected).map(({ id }) => id);
  const sent = listIds(ResendOutcome.SENT);
  const unsent = results.flatMap(({ id, reason }) => (reason === undefined ? [] : [{ id, reason }]));
  const text = () =>
    [...sent.map((id) => `sent    ${id}`), ...unsent.map(({ id, reason }) => `unsent  ${id}: ${reason}`)].join("\n");
  printResult(cli, command, { sent, unsent }, text);
  const failures = [
    [ResendOutcome.NOT_FOUND, "Unknown feedback", exits.notFound],
    [ResendOutcome.ALREADY_SENT, "Already sent", exits.conflict],
    [ResendOutcome.BUSY, "Being sent", exits.conflict],
    [
      ResendOutcome.NOT_TAKEN_UP,
      "Not sent, and not sent later: no notifications process took the request",
      exits.failed,
    ],
    [ResendOutcome.FAILED, "Not sent", exits.failed],
  ] as const;
  for (const [outcome, sentence, exit] of failures) {
    const ids = listIds(outcome);
    if (ids.length > 0) throw new Failure(`${sentence}: ${ids.join(", ")}.`, exit);
  }
}
