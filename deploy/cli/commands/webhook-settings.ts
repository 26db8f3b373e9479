// `ems webhook set` and `get`: set and print the settings of the application's webhook.

import type { Command } from "commander";
import { ApiFailure, type Json } from "../api.ts";
import { apiClient, type Cli, printResult, repeatable } from "../cli.ts";
import { Failure, usage } from "../failure.ts";
import { oneLine } from "../terminal.ts";

/** Advice if the API refuses a webhook URL with a private address. */
const ownAddresses =
  "Only https and public hosts are accepted. For a receiver on this machine use http://127.0.0.1:<port> and npm start, which takes it; " +
  "npm run mesh and other installations take it with WEBHOOK_ALLOW_LOOPBACK=yes of notifications, and private addresses over " +
  "https with WEBHOOK_ALLOW_CIDRS, such as 10.0.0.0/8.";

export function addSettings(webhook: Command, cli: Cli): void {
  webhook
    .command("set <url>")
    .description("send every event to this URL from now on; shows the secret that signs them")
    .option(
      "--header <name=value>",
      "an additional header of deliveries; repeatable, all others are removed",
      repeatable,
    )
    .action(async (url: string, { header }: { header?: readonly string[] }, command: Command) => {
      const body = { url, ...(header && { headers: Object.fromEntries(header.map(parseHeader)) }) };
      const { data } = await apiClient(cli, command)
        .post("/v0/webhook", body)
        .catch((error: unknown) => {
          throw isRefusedUrl(error) ? new Failure(`${error.message}\n${ownAddresses}`, error.exit) : error;
        });
      printResult(cli, command, data, () => settingsText(data));
    });
  webhook
    .command("get")
    .description("show the webhook, with the secret that signs its deliveries")
    .action(async (_options: object, command: Command) => {
      const { data } = await apiClient(cli, command).get("/v0/webhook");
      printResult(cli, command, data, () => settingsText(data));
    });
}

function parseHeader(text: string): [string, string] {
  const [name, ...value] = text.split("=");
  if (!name || value.length === 0) throw usage(`--header "${text}" is no name=value`);
  return [name, value.join("=")];
}

function isRefusedUrl(error: unknown): error is ApiFailure {
  return error instanceof ApiFailure && error.body?.issues?.some(({ path }: Json) => path.join(".") === "url");
}

function settingsText({ url, webhookSecret, headers, disabledAt, disabledReason }: Json): string {
  return [
    `URL       ${oneLine(url)}`,
    `Secret    ${webhookSecret}`,
    ...Object.entries(headers ?? {}).map(([name, value]) => `Header    ${oneLine(`${name}: ${value}`)}`),
    `State     ${disabledAt ? `disabled since ${disabledAt}: ${oneLine(disabledReason ?? "")}` : "enabled"}`,
  ].join("\n");
}
