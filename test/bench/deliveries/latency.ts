// How long an event takes from the change to the receiver, through the mesh as it runs: API, outbox, NATS, a signed delivery
// over TLS. And how many a second go that way when an outbox is full.

import { setTimeout as delay } from "node:timers/promises";
import { newId } from "@ems/kit/id";
import pg from "pg";
import { startEventReceiver } from "../../harness/event-receiver.ts";
import { startProduct } from "../../harness/product.ts";
import { unlimited } from "../../harness/unlimited.ts";
import type { Ground } from "../sides.ts";

export interface DeliveryLatency {
  /** Changes that were asked for a second, one after the other whatever the answers. */
  readonly eventsPerSecond: number;
  /** Between the event's timestamp, taken before the commit, and its receipt. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** From a full outbox to the receiver. */
  readonly sustainedPerSecond: number;
}

const eventsPerSecond = 100;
const warmUpMs = 2_000;
const patienceMs = 60_000;

export async function measureLatency(
  { postgresUrl, natsUrl, dataDir }: Ground,
  seconds: number,
  count: number,
): Promise<DeliveryLatency> {
  const receivedAt = new Map<string, number>();
  const receiver = await startEventReceiver(({ id }) => receivedAt.set(id, Date.now()));
  const adminUrl = new URL("/bench_way", postgresUrl).href;
  const env = { ...receiver.env, ...unlimited, DATABASE_URL: adminUrl, NATS_URL: natsUrl };
  const product = await startProduct("mesh", { dataDir, env });
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { baseUrl, applicationId, orgId, apiKey = "" } = product.facts;
    const headers = { "x-api-key": apiKey, "x-application-id": applicationId, "content-type": "application/json" };
    const post = async (path: string, body: object) => {
      const answer = await fetch(`${baseUrl}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      await answer.body?.cancel();
    };
    await post("/v0/webhook", { url: receiver.url });

    const create = async (ms: number) => {
      const requests: Promise<void>[] = [];
      const startMs = performance.now();
      for (let at = 0; at < (ms / 1_000) * eventsPerSecond; at++) {
        await delay(Math.max(0, startMs + (at * 1_000) / eventsPerSecond - performance.now()));
        requests.push(post("/v0/topics", { title: `Event ${at}` }));
      }
      await Promise.all(requests);
    };
    await create(warmUpMs);
    const sinceMs = Date.now();
    await create(seconds * 1_000);
    const timestamps = await client.query<{ id: string; at: Date }>(
      "SELECT id, occurred_at AS at FROM catalog.outbox WHERE application_id = $1 AND type = 'topic.created' AND occurred_at >= $2",
      [applicationId, new Date(sinceMs)],
    );
    await until(() => timestamps.rows.every(({ id }) => receivedAt.has(id)));
    const tookMs = timestamps.rows.map(({ id, at }) => (receivedAt.get(id) ?? 0) - at.getTime()).sort((a, b) => a - b);
    const percentile = (share: number) => tookMs[Math.min(tookMs.length - 1, Math.floor(share * tookMs.length))] ?? 0;

    const before = receivedAt.size;
    const startMs = performance.now();
    await fillOutbox(client, { applicationId, orgId }, count);
    await until(() => receivedAt.size >= before + count);
    const sustainedPerSecond = Math.round(count / ((performance.now() - startMs) / 1_000));
    return { eventsPerSecond, p50Ms: percentile(0.5), p99Ms: percentile(0.99), sustainedPerSecond };
  } finally {
    await client.end();
    await product.stop();
    await receiver.close();
  }
}

/** As many events at once as no API could make in that time. */
async function fillOutbox(
  client: pg.Client,
  { applicationId, orgId }: { applicationId: string; orgId: string },
  count: number,
): Promise<void> {
  const ids = Array.from({ length: count }, () => newId());
  const [type, timestamp] = ["topic.created", new Date()];
  const subject = `ems.v1.evt.catalog.${type}.${applicationId}`;
  const data = { title: "Benchmark", text: "x".repeat(500) };
  const payloads = ids.map((id) => JSON.stringify({ id, type, timestamp, applicationId, orgId, data }));
  await client.query(
    `INSERT INTO catalog.outbox (application_id, org_id, occurred_at, type, subject, id, payload)
     SELECT $1, $2, $3, $4, $5, made.* FROM unnest($6::uuid[], $7::text[]) AS made`,
    [applicationId, orgId, timestamp, type, subject, ids, payloads],
  );
}

async function until(isSo: () => boolean): Promise<void> {
  for (const untilMs = performance.now() + patienceMs; !isSo(); await delay(5)) {
    if (performance.now() > untilMs) throw new Error("the events did not all arrive in time");
  }
}
