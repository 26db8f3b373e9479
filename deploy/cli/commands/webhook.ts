// `ems webhook`: deliveries of the application's webhook, and tools for testing receivers.

import { type Command, Option } from "commander";
import type { Json } from "../api.ts";
import { apiClient, type Cli, integerBetween, isJson, printResult, repeatable } from "../cli.ts";
import { Failure } from "../failure.ts";
import { table } from "../table.ts";
import { oneLine } from "../terminal.ts";
import { addListen } from "./webhook-listen.ts";
import { addSettings } from "./webhook-settings.ts";
import { addVerify } from "./webhook-verify.ts";

const statuses = ["PENDING", "DELIVERED", "FAILED", "CANCELLED"];

export function addWebhook(program: Command, cli: Cli): void {
  const webhook = program.command("webhook").description("the application's webhook, its events and their deliveries");
  addSettings(webhook, cli);
  addListen(webhook, cli);
  addTrigger(webhook, cli);
  addDeliveries(webhook, cli);
  addResend(webhook, cli);
  addVerify(webhook, cli);
}

function addTrigger(webhook: Command, cli: Cli): void {
  webhook
    .command("trigger")
    .alias("test")
    .description("send an event of type webhook.test to the webhook; exit 1 when the delivery fails")
    .action(async (_options: object, command: Command) => {
      const result = await apiClient(cli, command).post("/v0/webhook/test");
      printResult(cli, command, result, () => `${result.success ? "Delivered" : "Failed"}: ${formatOutcome(result)}`);
      if (!result.success) throw new Failure("The receiver did not accept the event.");
    });
}

function formatOutcome({ statusCode, error }: Json): string {
  return [statusCode !== null && `the receiver answered ${statusCode}`, error && oneLine(error)]
    .filter(Boolean)
    .join(", ");
}

function addDeliveries(webhook: Command, cli: Cli): void {
  webhook
    .command("deliveries [id]")
    .description("list deliveries, newest first; with an id, show that delivery with its event and attempts")
    .addOption(new Option("--status <status>", "only deliveries with this status; repeatable").argParser(repeatable))
    .option("--type <type>", "only events of this type, such as topic.created; repeatable", repeatable)
    .option("--skip <number>", "number of deliveries to skip", integerBetween(0, Number.MAX_SAFE_INTEGER), 0)
    .option("--limit <number>", "maximum number of deliveries", integerBetween(1, 100), 25)
    .addHelpText("after", `\nStatuses: ${statuses.join(", ")}`)
    .action(async (id: string | undefined, options: ListOptions, command: Command) => {
      if (id !== undefined) return showDelivery(cli, command, id);
      const { status = [], type = [], skip, limit } = options;
      const filters = [...status.map((value) => ["status", value]), ...type.map((value) => ["type", value])];
      const query = new URLSearchParams([...filters, ["skip", `${skip}`], ["limit", `${limit}`]]);
      const { data, pagination } = await apiClient(cli, command).get(`/v0/webhook/deliveries?${query}`);
      printResult(cli, command, { data, pagination }, () => deliveriesText(data));
      if (skip + data.length < pagination.total)
        cli.info(`${data.length} of ${pagination.total}; --skip selects others.`);
    });
}

interface ListOptions {
  readonly status?: readonly string[];
  readonly type?: readonly string[];
  readonly skip: number;
  readonly limit: number;
}

function deliveriesText(deliveries: readonly Json[]): string {
  if (deliveries.length === 0) return "No deliveries.";
  const heads = ["Created", "Delivery", "Type", "Status", "Attempts", "Last", "Next"];
  return table(
    heads,
    deliveries.map((delivery) => [
      delivery.createdAt,
      delivery.id,
      delivery.type,
      delivery.status,
      delivery.attemptCount,
      delivery.lastStatusCode ?? delivery.lastOutcome,
      delivery.nextAttemptAt,
    ]),
  );
}

async function showDelivery(cli: Cli, command: Command, id: string): Promise<void> {
  const found = await apiClient(cli, command).get(`/v0/webhook/deliveries/${encodeURIComponent(id)}`);
  const heads = ["Attempt", "Started", "ms", "Outcome", "Status", "Address", "Answer"];
  printResult(cli, command, found, () =>
    [
      deliveriesText([found.data]),
      table(
        heads,
        found.attempts.map((attempt: Json) => [
          attempt.number,
          attempt.startedAt,
          attempt.durationMs,
          attempt.outcome,
          attempt.statusCode,
          attempt.remoteAddress,
          attempt.responseBody,
        ]),
      ),
      JSON.stringify(found.event, null, 2),
    ].join("\n\n"),
  );
}

function addResend(webhook: Command, cli: Cli): void {
  webhook
    .command("resend <id...>")
    .description("resend deliveries, whatever their status")
    .action(async (ids: string[], _options: object, command: Command) => {
      const api = apiClient(cli, command);
      for (const id of ids) {
        const { data } = await api.post(`/v0/webhook/deliveries/${encodeURIComponent(id)}/resend`);
        cli.out(isJson(command) ? JSON.stringify(data) : `${data.id} ${data.type} is scheduled again`);
      }
    });
}
