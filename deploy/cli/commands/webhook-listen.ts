// `ems webhook listen`: prints events by polling the deliveries, without a public address. `--forward` also posts them to a
// local receiver, signed with the webhook's secret.

import { setTimeout as delay } from "node:timers/promises";
import { type Command, InvalidArgumentError } from "commander";
import { Webhook } from "standardwebhooks";
import type { ApiClient, Json } from "../api.ts";
import { apiClient, type Cli, integerBetween, isJson, repeatable } from "../cli.ts";
import { exits, Failure } from "../failure.ts";
import { oneLine } from "../terminal.ts";

interface ListenOptions {
  readonly forward?: URL;
  readonly type?: readonly string[];
  readonly since?: Date;
  readonly interval: number;
  readonly count?: number;
}

/** Polls overlap by this time, because a delivery may become visible later than its creation time. */
const overlapMs = 30_000;
const forwardTimeoutMs = 15_000;

export function addListen(webhook: Command, cli: Cli): void {
  webhook
    .command("listen")
    .description("print events until Ctrl-C. The application needs a webhook, with any URL")
    .option("--forward <url>", "post each event to this URL, signed like a delivery", httpUrl)
    .option("--type <type>", "only events of this type, such as topic.created; repeatable", repeatable)
    .option("--since <time>", "start with events since this time (ISO 8601); default now", time)
    .option("--interval <ms>", "polling interval", integerBetween(100, 3_600_000), 1_000)
    .option("--count <number>", "exit after this many events", integerBetween(1, 1_000_000))
    .action(async (options: ListenOptions, command: Command) => {
      const api = apiClient(cli, command);
      const { data: hook } = await api.get("/v0/webhook");
      if (hook === null)
        throw new Failure(
          "The application has no webhook, so it has no deliveries: POST /v0/webhook creates one.",
          exits.notFound,
        );
      cli.info(`Listening${options.forward ? `, forwarding to ${options.forward.origin}` : ""}. Press Ctrl-C to stop.`);
      const signer = new Webhook(hook.webhookSecret);
      let count = 0;
      for await (const { delivery, event } of endOnAbort(newEvents(api, cli, options), cli.stopped)) {
        cli.out(
          isJson(command)
            ? JSON.stringify(event)
            : `${event.timestamp}  ${event.type}  ${delivery.id}  ${headline(event)}`,
        );
        if (options.forward) cli.info(`  ${await forward(options.forward, event, signer)}`);
        count++;
        if (count === options.count) return;
      }
    });
}

/** Yields every new event once, oldest first, until Ctrl-C. */
async function* newEvents(api: ApiClient, cli: Cli, { since = new Date(), type, interval }: ListenOptions) {
  const seen = new Map<string, number>();
  let newestMs = since.getTime();
  while (!cli.stopped.aborted) {
    const fromMs = Math.max(since.getTime(), newestMs - overlapMs);
    for (const [id, createdMs] of seen) if (createdMs < fromMs) seen.delete(id);
    const query = { startDate: new Date(fromMs).toISOString(), ...(type && { type }) };
    for await (const delivery of api.list("/v0/webhook/deliveries", query)) {
      if (seen.has(delivery.id)) continue;
      const createdMs = Date.parse(delivery.createdAt);
      seen.set(delivery.id, createdMs);
      newestMs = Math.max(newestMs, createdMs);
      yield { delivery, event: (await api.get(`/v0/webhook/deliveries/${delivery.id}`)).event };
    }
    await delay(interval, undefined, { signal: cli.stopped }).catch(() => undefined);
  }
}

/** Yields the items. Ends without an error if Ctrl-C cancels a request. */
async function* endOnAbort<Item>(items: AsyncIterable<Item>, stopped: AbortSignal): AsyncGenerator<Item> {
  try {
    yield* items;
  } catch (error) {
    if (!stopped.aborted) throw error;
  }
}

/** Posts the event; returns a line about the response. */
async function forward(url: URL, event: Json, signer: Webhook): Promise<string> {
  const body = JSON.stringify(event);
  const now = new Date();
  const headers = {
    "content-type": "application/json",
    "webhook-id": event.id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
    "webhook-signature": signer.sign(event.id, now, body),
  };
  try {
    const signal = AbortSignal.timeout(forwardTimeoutMs);
    const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
    await response.body?.cancel();
    return `→ ${response.status} in ${Date.now() - now.getTime()} ms`;
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    return oneLine(`→ ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

function headline({ data }: Json): string {
  // Stay on one line: a title with a line break could otherwise fake an event.
  return oneLine([data?.title ?? data?.name ?? data?.status, data?.id].filter(Boolean).join("  "));
}

function httpUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new InvalidArgumentError("Must be an http or https URL.");
  return url;
}

function time(text: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new InvalidArgumentError("Must be a time such as 2026-01-31T08:00:00Z.");
  return date;
}
