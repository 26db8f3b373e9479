// An event's path through the product: outbox, NATS in the mesh, a signed delivery over TLS.

import { eventBytes, eventJson, toEvent } from "@ems/kit/events/content";
import { newId } from "@ems/kit/id";
import { TopicStatus } from "@ems/proto/catalog/v1/topic_service";
import pg from "pg";
import { startEventReceiver } from "../../harness/event-receiver.ts";
import type { Shape } from "../../harness/product.ts";
import type { Ground } from "../ground.ts";
import { openLoop } from "../open-loop.ts";
import type { Figure } from "../page.ts";
import { type Bench, inTurn, type Part, type Round } from "../part.ts";
import { cpuUs, getFamily, untilIdle } from "../processes.ts";
import { type Side, startProductSide } from "../sides.ts";
import { percentile } from "../statistics.ts";

export const events: Part = {
  title: "Events",
  note: `From the outbox to a receiver with TLS: as fast as they go when an outbox is full, and the time from a change over the API
(100 topics a second) to the receipt. One process delivers without NATS, the mesh by NATS.`,
  measure: measureEvents,
};

const changesPerSecond = 100;
const patienceMs = 120_000;

async function measureEvents(bench: Bench): Promise<Figure[]> {
  const { deliveries, seconds = 3, rounds = 3 } = bench.options;
  const figures: Figure[] = [];
  for (const shape of bench.options.shapes) {
    const open = (ground: Ground, stack: AsyncDisposableStack) =>
      openEvents(shape, ground, stack, Math.ceil(deliveries / rounds), seconds);
    figures.push(...(await inTurn(bench, rounds, open)));
  }
  return figures;
}

async function openEvents(
  shape: Shape,
  ground: Ground,
  stack: AsyncDisposableStack,
  count: number,
  seconds: number,
): Promise<Round> {
  const tookMs: number[] = [];
  const receiver = await startEventReceiver(({ body }) => {
    tookMs.push(Date.now() - Date.parse((JSON.parse(body) as { timestamp: string }).timestamp));
  });
  stack.defer(() => receiver.close());
  const nats = shape === "one" ? { NATS_URL: "" } : {};
  const side = await startProductSide(shape, ground, stack, { ...receiver.env, ...nats });
  const client = new pg.Client({ connectionString: side.adminUrl });
  await client.connect();
  stack.defer(() => client.end());
  await post(side, "/v0/webhook", { url: receiver.url });

  /** Returns the rate of arrivals caused by `work`, measured until `expected` events have arrived. */
  const arrivals = async (expected: number, work: () => Promise<unknown>) => {
    tookMs.length = 0;
    await work();
    for (const untilMs = performance.now() + patienceMs; tookMs.length < expected; ) {
      if (performance.now() > untilMs) throw new Error(`${tookMs.length} of ${expected} events arrived in time`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return [...tookMs];
  };
  const change = (at: number) => post(side, "/v0/topics", { title: `Event ${at}` });
  await arrivals(changesPerSecond, () => openLoop(changesPerSecond, 1, change));

  const name = shape === "one" ? "one process" : "mesh, NATS";
  return async () => {
    const spent = () => cpuUs([...side.pids, ...getFamily(side.postgresPid)]);
    const beforeUs = spent();
    const startMs = performance.now();
    await arrivals(count, () => fillOutbox(client, side.tenant, count));
    const perSecond = count / ((performance.now() - startMs) / 1_000);
    await untilIdle([...side.pids, side.postgresPid]);
    const perEventUs = (spent() - beforeUs) / count;
    const latencies = await arrivals(changesPerSecond * seconds, () => openLoop(changesPerSecond, seconds, change));
    return [
      { what: `${name}: events sustained`, unit: "/s", value: perSecond },
      { what: `${name}: CPU an event`, unit: "µs", value: perEventUs },
      { what: `${name}: change to receipt, p50`, unit: "ms", value: percentile(latencies, 50) },
      { what: `${name}: change to receipt, p99`, unit: "ms", value: percentile(latencies, 99) },
    ];
  };
}

async function post({ baseUrl, headers }: Side, path: string, body: object): Promise<void> {
  const answer = await fetch(`${baseUrl}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  await answer.body?.cancel();
}

/** Inserts more events at once than any API could create in that time. */
export async function fillOutbox(
  client: pg.Client,
  { applicationId, orgId }: Side["tenant"],
  count: number,
): Promise<void> {
  const ids = Array.from({ length: count }, () => newId());
  const [type, timestamp] = ["topic.created", new Date()];
  const subject = `ems.v1.evt.catalog.${type}.${applicationId}`;
  const value = { title: "x".repeat(500), applicationId, orgId, status: TopicStatus.ACTIVE };
  const made = ids.map((id) =>
    toEvent({ case: "topicCreated", value }, { id, occurredAt: timestamp, applicationId, orgId }),
  );
  const { rows } = await client.query(
    "SELECT FROM information_schema.columns WHERE table_schema = 'catalog' AND table_name = 'outbox' AND column_name = 'message'",
  );
  // Versions before the binary format store JSON.
  const [column, columnType] = rows.length === 0 ? ["payload", "text"] : ["message", "bytea"];
  await client.query(
    `INSERT INTO catalog.outbox (application_id, org_id, occurred_at, type, subject, id, ${column})
     SELECT $1, $2, $3, $4, $5, made.* FROM unnest($6::uuid[], $7::${columnType}[]) AS made`,
    [
      applicationId,
      orgId,
      timestamp,
      type,
      subject,
      ids,
      made.map((each) => (rows.length === 0 ? eventJson(each) : eventBytes(each))),
    ],
  );
}
