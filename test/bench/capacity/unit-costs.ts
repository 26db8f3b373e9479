// What one trace, test, event and read cost each process of the mesh, PostgreSQL's disk and its log: before and after so many of them,
// until all processes are idle.

import { readFileSync } from "node:fs";
import { newId } from "@ems/kit/id";
import pg from "pg";
import { startEventReceiver } from "../../harness/event-receiver.ts";
import { testsOf } from "../bulk.ts";
import { fillOutbox } from "../deliveries/events.ts";
import type { Ground } from "../ground.ts";
import { cpuUs, familyOf, untilIdle } from "../processes.ts";
import { type ProductSide, startProductSide } from "../sides.ts";
import { type Batch, ownBatch, protobufBatch, tracesPerBatch } from "../trace-batches.ts";
import { type Spender, spenders, type UnitCost, type Units } from "./plan.ts";

/** How many, and how many bytes their requests had. */
interface Done {
  readonly count: number;
  readonly bodyBytes: number;
}

const connections = 4;
const warmUpSeconds = 4;
const [shortSteps, longSteps] = [3, 12];
const testsPerRequest = 1_000;
const patienceMs = 120_000;

export async function measureUnits(ground: Ground, stack: AsyncDisposableStack, seconds: number): Promise<Units> {
  const arrived = { count: 0 };
  const receiver = await startEventReceiver(() => {
    arrived.count += 1;
  });
  stack.defer(() => receiver.close());
  const side = await startProductSide("mesh", ground, stack, receiver.env);
  const client = new pg.Client({ connectionString: side.adminUrl });
  await client.connect();
  stack.defer(() => client.end());
  const cost = (work: () => Promise<Done>) => costOf(side, ground, client, work);

  const traces = async (steps: number) => {
    const batch = protobufBatch(steps);
    await ingest(side, batch, warmUpSeconds);
    return cost(() => ingest(side, batch, seconds));
  };
  const short = await traces(shortSteps);
  const long = await traces(longSteps);

  const newTests = await testsOf({ ...side, root: ground.root });
  const record = async (requests: number): Promise<Done> => {
    let bodyBytes = 0;
    for (let request = 0; request < requests; request++)
      bodyBytes += await post(side, "/v0/tests/results", JSON.stringify(newTests(testsPerRequest)));
    return { count: requests * testsPerRequest, bodyBytes };
  };
  await record(4);
  const test = await cost(() => record(12));

  const ids = await tracesToRead(side);
  const read = async (count: number): Promise<Done> => {
    let left = count;
    const reader = async () => {
      while (left-- > 0) await get(side, `/v0/traces/${ids[left % ids.length]}`);
    };
    await Promise.all(Array.from({ length: connections }, reader));
    return { count, bodyBytes: 0 };
  };
  await read(3_000);
  const reading = await cost(() => read(3_000));

  await post(side, "/v0/webhook", JSON.stringify({ url: receiver.url }));
  const deliver = async (count: number): Promise<Done> => {
    const expected = arrived.count + count;
    await fillOutbox(client, side.tenant, count);
    for (const untilMs = performance.now() + patienceMs; arrived.count < expected; ) {
      if (performance.now() > untilMs) throw new Error(`${arrived.count} of ${expected} events arrived in time`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return { count, bodyBytes: 0 };
  };
  await deliver(2_000);
  const event = await cost(() => deliver(5_000));
  return {
    short: { steps: shortSteps, cost: short },
    long: { steps: longSteps, cost: long },
    ...{ test, event, read: reading },
  };
}

async function costOf(
  side: ProductSide,
  ground: Ground,
  client: pg.Client,
  work: () => Promise<Done>,
): Promise<UnitCost> {
  const roots = [...side.pids, ground.postgresPid, ground.natsPid];
  const pids = pidsOf(side, ground);
  await untilIdle(roots, patienceMs);
  // What earlier work left to be written would count as this one's.
  await client.query("CHECKPOINT");
  const look = async () => ({
    spentUs: spenders.map((name) => cpuUs(pids(name))),
    ...(await storedBytes(client)),
  });
  const before = await look();
  const { count, bodyBytes } = await work();
  await untilIdle(roots, patienceMs);
  const after = await look();
  const each = spenders.map((name, at) => [name, ((after.spentUs[at] ?? 0) - (before.spentUs[at] ?? 0)) / count]);
  return {
    cpuUs: Object.fromEntries(each),
    diskBytes: (after.database - before.database) / count,
    walBytes: (after.wal - before.wal) / count,
    bodyBytes: bodyBytes / count,
  };
}

async function storedBytes(client: pg.Client): Promise<{ database: number; wal: number }> {
  const { rows } = await client.query<{ database: number; wal: number }>(
    `SELECT pg_database_size(current_database())::float8 AS database,
       (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 AS wal`,
  );
  return rows[0] ?? { database: 0, wal: 0 };
}

/** By their command lines; PostgreSQL's processes come and go. */
function pidsOf(side: ProductSide, ground: Ground): (name: Spender) => readonly number[] {
  const byName = Map.groupBy(side.pids, (pid) => {
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
    return /(?:services\/)?(\w+)\/src\/main\.ts/.exec(command)?.[1] ?? "";
  });
  return (name) => {
    if (name === "PostgreSQL") return familyOf(ground.postgresPid);
    return name === "NATS" ? [ground.natsPid] : (byName.get(name) ?? []);
  };
}

/** Traces a few connections send, as fast as they are taken. */
async function ingest(side: ProductSide, batch: Batch, seconds: number): Promise<Done> {
  const untilMs = performance.now() + seconds * 1_000;
  let [count, bodyBytes] = [0, 0];
  const connection = async () => {
    while (performance.now() < untilMs) {
      bodyBytes += await post(side, batch.path, batch.next(), batch.contentType);
      count += tracesPerBatch;
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  return { count, bodyBytes };
}

/** Ids of traces of three steps. */
async function tracesToRead(side: ProductSide): Promise<string[]> {
  await post(side, "/v0/ingest", ownBatch().next());
  const response = await fetch(`${side.baseUrl}/v0/traces?limit=100`, { headers: side.headers });
  const { data } = (await response.json()) as { data: { id: string }[] };
  return data.map(({ id }) => id);
}

async function get({ baseUrl, headers }: ProductSide, path: string): Promise<void> {
  const response = await fetch(baseUrl + path, { headers });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  await response.arrayBuffer();
}

/** Answers how many bytes were sent. */
async function post(
  { baseUrl, headers }: ProductSide,
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  contentType = "application/json",
): Promise<number> {
  const response = await fetch(baseUrl + path, {
    method: "POST",
    headers: { ...headers, "content-type": contentType, "idempotency-key": newId() },
    body,
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
  return Buffer.byteLength(body);
}
