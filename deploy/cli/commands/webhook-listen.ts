// `ems webhook listen`: events as they come, without a public address. The deliveries are asked for again and again, and
// handed to a receiver on this machine if one is named, signed as the webhook's own.

import { setTimeout as delay } from "node:timers/promises";
import { type Command, InvalidArgumentError } from "commander";
import { Webhook } from "standardwebhooks";
import type { ApiClient, Json } from "../api.ts";
import { apiOf, type Cli, isJson, several, whole } from "../cli.ts";
import { exits, Failure } from "../failure.ts";
import { oneLine } from "../terminal.ts";

interface ListenOptions {
  readonly forward?: URL;
  readonly type?: readonly string[];
  readonly since?: Date;
  readonly interval: number;
  readonly count?: number;
}

/** A delivery may be committed a while after the time it bears. */
const overlapMs = 30_000;
const forwardTimeoutMs = 15_000;

export function addListen(webhook: Command, cli: Cli): void {
  webhook
    .command("listen")
    .description("show events as they come; Ctrl-C ends it. The application needs a webhook, whatever its URL")
    .option("--forward <url>", "hand each event to this URL too, signed like a delivery", httpUrl)
    .option("--type <type>", "only events of this type, such as topic.created; may be repeated", several)
    .option("--since <time>", "begin with events since then (ISO 8601); now when omitted", time)
    .option("--interval <ms>", "how long to wait between two looks", whole(100, 3_600_000), 1_000)
    .option("--count <number>", "end after so many events", whole(1, 1_000_000))
    .action(async (options: ListenOptions, command: Command) => {
      const api = apiOf(cli, command);
      const { data: hook } = await api.get("/v0/webhook");
      if (hook === null)
        throw new Failure(
          "The application has no webhook: POST /v0/webhook sets one. No events without.",
          exits.notFound,
        );
      cli.say(`Listening${options.forward ? `, forwarding to ${options.forward.origin}` : ""}. Ctrl-C ends it.`);
      const signer = new Webhook(hook.webhookSecret);
      let seen = 0;
      for await (const { delivery, event } of untilStopped(comingEvents(api, cli, options), cli.stopped)) {
        cli.out(
          isJson(command)
            ? JSON.stringify(event)
            : `${event.timestamp}  ${event.type}  ${delivery.id}  ${inShort(event)}`,
        );
        if (options.forward) cli.say(`  ${await forward(options.forward, event, signer)}`);
        seen++;
        if (seen === options.count) return;
      }
    });
}

/** Every event once, oldest first, until Ctrl-C. */
async function* comingEvents(api: ApiClient, cli: Cli, { since = new Date(), type, interval }: ListenOptions) {
  const shown = new Map<string, number>();
  let newestMs = since.getTime();
  while (!cli.stopped.aborted) {
    const fromMs = Math.max(since.getTime(), newestMs - overlapMs);
    for (const [id, createdMs] of shown) if (createdMs < fromMs) shown.delete(id);
    const wanted = { startDate: new Date(fromMs).toISOString(), ...(type && { type }) };
    for await (const delivery of api.list("/v0/webhook/deliveries", wanted)) {
      if (shown.has(delivery.id)) continue;
      const createdMs = Date.parse(delivery.createdAt);
      shown.set(delivery.id, createdMs);
      newestMs = Math.max(newestMs, createdMs);
      yield { delivery, event: (await api.get(`/v0/webhook/deliveries/${delivery.id}`)).event };
    }
    await delay(interval, undefined, { signal: cli.stopped }).catch(() => undefined);
  }
}

/** Ctrl-C in the midst of a request is the end as any other. */
async function* untilStopped<Item>(items: AsyncIterable<Item>, stopped: AbortSignal): AsyncGenerator<Item> {
  try {
    yield* items;
  } catch (error) {
    if (!stopped.aborted) throw error;
  }
}

/** What came of handing the event over, in words. */
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

function inShort({ data }: Json): string {
  // A line break in a title would forge a line.
  return oneLine([data?.title ?? data?.name ?? data?.status, data?.id].filter(Boolean).join("  "));
}

function httpUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new InvalidArgumentError("An http or https URL.");
  return url;
}

function time(text: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new InvalidArgumentError("A time such as 2026-01-31T08:00:00Z.");
  return date;
}
