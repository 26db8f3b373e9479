// Cost of one trace, test, event and read in each process of the mesh, on PostgreSQL's disk and in its log, measured
// before and after a batch once all processes are idle.

import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { newId } from "@ems/kit/id";
import pg from "pg";
import { startEventReceiver } from "../../harness/event-receiver.ts";
import { seededRandom } from "../../oracle/random.ts";
import { buildTests } from "../bulk.ts";
import { fillOutbox } from "../deliveries/events.ts";
import type { Ground } from "../ground.ts";
import { cpuUs, getFamily, untilIdle } from "../processes.ts";
import { type ProductSide, startProductSide } from "../sides.ts";
import { type Batch, ownBatch, protobufBatch, tracesPerBatch } from "../trace-batches.ts";
import { eachSpender, type Spender, type UnitCost, type Units } from "./plan.ts";

/** Number of units, and the bytes of their requests. */
interface Done {
  readonly count: number;
  readonly bodyBytes: number;
}

const connections = 4;
const warmUpSeconds = 4;
const [shortSteps, longSteps] = [3, 12];
const testsPerRequest = 1_000;
const patienceMs = 120_000;
const restMs = 6_000;

/** Words that PostgreSQL cannot compress well, with as many different ones as a small language has. */
const words = Array.from({ length: 5_000 }, (_, at) => (at * 7_919 + 11_111).toString(36));
const random = seededRandom(1);
const textCharacters = 512;
function variedText(): string {
  let text = "";
  // Few words are frequent, as in any language.
  while (text.length < textCharacters)
    text += `${words[Math.floor((random.int(0, 9_999) / 10_000) ** 3 * words.length)]} `;
  return text.slice(0, textCharacters);
}

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
  const pids = getPids(side, ground);
  const roots = [...side.pids, ground.postgresPid, ground.natsPid];
  await untilIdle(roots, patienceMs);
  const rest = await coresAtRest(pids);
  const cost = (work: () => Promise<Done>) => measureCost({ pids, roots, rest, client }, work);

  const traces = async (steps: number) => {
    const batch = protobufBatch(steps, variedText);
    await ingest(side, batch, warmUpSeconds);
    return cost(() => ingest(side, batch, seconds));
  };
  const short = await traces(shortSteps);
  const long = await traces(longSteps);

  const newTests = await buildTests({ ...side, root: ground.root });
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
  await read(6_000);
  const reading = await cost(() => read(3_000));

  await post(side, "/v0/webhook", JSON.stringify({ url: receiver.url }));
  const deliver = async (count: number): Promise<Done> => {
    const expected = arrived.count + count;
    await fillOutbox(client, side.tenant, count);
    for (const untilMs = performance.now() + patienceMs; arrived.count < expected; ) {
      if (performance.now() > untilMs) throw new Error(`${arrived.count} of ${expected} events arrived in time`);
      await delay(20);
    }
    return { count, bodyBytes: 0 };
  };
  await deliver(2_000);
  const event = await cost(() => deliver(5_000));
  return {
    short: { steps: shortSteps, cost: short },
    long: { steps: longSteps, cost: long },
    test,
    event,
    read: reading,
    rest,
  };
}

type FindPids = (name: Spender) => readonly number[];
type BySpender = Readonly<Record<Spender, number>>;

/** Returns each process's CPU time without load, in µs per second. */
async function coresAtRest(pids: FindPids): Promise<BySpender> {
  const before = spentUs(pids);
  const startMs = performance.now();
  await delay(restMs);
  const after = spentUs(pids);
  const seconds = (performance.now() - startMs) / 1_000;
  return eachSpender((name) => (after[name] - before[name]) / seconds);
}

function spentUs(pids: FindPids): BySpender {
  return eachSpender((name) => cpuUs(pids(name)));
}

interface Measured {
  readonly pids: FindPids;
  /** Processes that must be idle after the work, including their children. */
  readonly roots: readonly number[];
  readonly rest: BySpender;
  readonly client: pg.Client;
}

/** Returns the cost of a unit, without the CPU time that processes take while idle. */
async function measureCost({ pids, roots, rest, client }: Measured, work: () => Promise<Done>): Promise<UnitCost> {
  await untilIdle(roots, patienceMs);
  const look = async () => ({ atMs: performance.now(), spent: spentUs(pids), stored: await storedBytes(client) });
  const before = await look();
  const { count, bodyBytes } = await work();
  await untilIdle(roots, patienceMs);
  const after = await look();
  const seconds = (after.atMs - before.atMs) / 1_000;
  const cost = (name: Spender) => after.spent[name] - before.spent[name] - rest[name] * seconds;
  return {
    cpuUs: eachSpender((name) => Math.max(0, cost(name)) / count),
    diskBytes: (after.stored.database - before.stored.database) / count,
    walBytes: (after.stored.wal - before.stored.wal) / count,
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

/** Finds processes by their command lines; PostgreSQL starts and ends processes all the time. */
function getPids(side: ProductSide, ground: Ground): FindPids {
  const byName = Map.groupBy(side.pids, (pid) => {
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
    return /(?:services\/)?(\w+)\/src\/main\.ts/.exec(command)?.[1] ?? "";
  });
  return (name) => {
    if (name === "PostgreSQL") return getFamily(ground.postgresPid);
    return name === "NATS" ? [ground.natsPid] : (byName.get(name) ?? []);
  };
}

/** Sends traces over a few connections, at the rate at which the product accepts them. */
async function ingest(side: ProductSide, batch: Batch, seconds: number): Promise<Done> {
  const untilMs = performance.now() + seconds * 1_000;
  let [count, bodyBytes] = [0, 0];
  const connection = async () => {
    while (performance.now() < untilMs) {
      const sentBytes = await post(side, batch.path, batch.next(), batch.contentType);
      bodyBytes += sentBytes;
      count += tracesPerBatch;
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  return { count, bodyBytes };
}

/** Creates traces of three steps; returns their ids. */
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

/** Returns the number of bytes sent. */
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
