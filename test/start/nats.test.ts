// What carries events, as a person who starts the product meets it: a NATS server, or in its absence nothing but a sentence.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { startTimeOf } from "@ems/dev/process-info";
import { testNatsOperator } from "@ems/test-support/nats-operator";
import pg from "pg";
import { afterEach, expect, inject, test } from "vitest";
import { isAlive } from "../harness/alive.ts";
import { type Product, startProduct } from "../harness/product.ts";

/** A server of an operator's, over TLS, which wants credentials. */
const operator = await testNatsOperator();
let product: Product | undefined;
afterEach(() => product?.remove());

async function createTopic({ facts: { baseUrl, apiKey = "", applicationId } }: Product): Promise<number> {
  const headers = { "x-api-key": apiKey, "x-application-id": applicationId, "content-type": "application/json" };
  const answer = await fetch(`${baseUrl}/v0/topics`, { method: "POST", headers, body: '{"title": "told"}' });
  return answer.status;
}

/** How many of catalog's events wait in its outbox, and how many notifications has taken in. */
async function events({ facts: { dataDir } }: Product): Promise<{ waiting: number; taken: number }> {
  const { adminUrl } = JSON.parse(await readFile(join(dataDir, "running.json"), "utf8"));
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rows } = await client.query(
      `SELECT (SELECT count(*)::int FROM catalog.outbox WHERE published_at IS NULL) AS waiting,
         (SELECT count(*)::int FROM notifications.inbox JOIN catalog.outbox ON id = event_id) AS taken`,
    );
    return rows[0];
  } finally {
    await client.end();
  }
}

async function natsPid({ facts: { dataDir } }: Product): Promise<number> {
  return Number(await readFile(join(dataDir, "nats/nats.pid"), "utf8"));
}

test("without NATS npm start says that events go from hand to hand, and they do", async () => {
  product = await startProduct("one");
  expect(product.stderr()).toContain(
    "No NATS: NATS_URL is not set and PATH has no nats-server. Events go from hand to hand in this process.",
  );
  const running = product;
  expect(await createTopic(running)).toBe(201);
  await expect.poll(() => events(running)).toEqual({ waiting: 0, taken: 1 });
});

test("without NATS npm run mesh starts, and says that events wait in the outboxes; with it they go", async () => {
  product = await startProduct("mesh");
  expect(product.stderr()).toContain("Events wait in the outboxes until there is one.");
  const { dataDir } = product.facts;
  expect(await createTopic(product)).toBe(201);
  expect(await events(product)).toEqual({ waiting: 1, taken: 0 });
  expect(await product.stop()).toBe(0);
  product = await startProduct("mesh", { dataDir, env: { NATS_SERVER: inject("natsServer") } });
  const running = product;
  await expect.poll(() => events(running)).toEqual({ waiting: 0, taken: 1 });
});

test.each(["one", "mesh"] as const)(
  "a nats-server in PATH carries the events, and is stopped at the end (%s)",
  async (shape) => {
    product = await startProduct(shape, { env: { NATS_SERVER: inject("natsServer") } });
    const running = product;
    expect(product.stderr()).not.toContain("No NATS");
    expect(await createTopic(product)).toBe(201);
    await expect.poll(() => events(running)).toEqual({ waiting: 0, taken: 1 });
    const pid = await natsPid(product);
    expect(isAlive(pid)).toBe(true);
    expect(await product.stop()).toBe(0);
    expect(isAlive(pid)).toBe(false);
  },
);

test("a nats-server that is killed is missed in a sentence, costs no write, and the next start carries what waited", async () => {
  const env = { NATS_SERVER: inject("natsServer") };
  product = await startProduct("one", { env });
  const killed = product;
  process.kill(await natsPid(product), "SIGKILL");
  await expect.poll(killed.stderr).toContain("nats-server ended by itself");
  expect(await createTopic(product)).toBe(201);
  const ready = await fetch(`${product.facts.adminUrl}/readyz`);
  expect(ready.status).toBe(200);
  expect((await events(product)).taken).toBe(0);
  expect(await product.stop()).toBe(0);
  product = await startProduct("one", { dataDir: killed.facts.dataDir, env });
  const running = product;
  await expect.poll(() => events(running)).toEqual({ waiting: 0, taken: 1 });
});

test("a nats-server that a run left behind when it was killed hard is stopped by the next start", async () => {
  const env = { NATS_SERVER: inject("natsServer") };
  const killed = await startProduct("one", { env });
  const left = await natsPid(killed);
  killed.process.kill("SIGKILL");
  await killed.ended;
  expect(await startTimeOf(left)).not.toBeNull();
  product = await startProduct("one", { dataDir: killed.facts.dataDir, env });
  expect(await startTimeOf(left)).toBeNull();
  expect(await natsPid(product)).not.toBe(left);
});

test("a NATS_SERVER that cannot be run is told in a sentence", async () => {
  await expect(startProduct("one", { env: { NATS_SERVER: "/nowhere/nats-server" } })).rejects.toThrow(
    /Cannot start: NATS_SERVER names no program that can be run: \/nowhere/,
  );
});

test.each(["one", "mesh"] as const)(
  "with a credentials file and an authority of one's own, all processes are let into NATS, and events go (%s)",
  async (shape) => {
    const { url, caFile, credentials } = operator;
    const env = { NATS_URL: url, NATS_CA_FILE: caFile, NATS_CREDENTIALS_FILE: await credentials() };
    product = await startProduct(shape, { env });
    const running = product;
    expect(await createTopic(running)).toBe(201);
    await expect.poll(() => events(running), { timeout: 30_000 }).toEqual({ waiting: 0, taken: 1 });
    const { adminUrl } = product.facts;
    await expect
      .poll(async () => (await fetch(`${adminUrl}/readyz`)).json(), { timeout: 30_000 })
      .toEqual({ status: "ok" });
  },
);

test.each(["one", "mesh"] as const)(
  "a credentials file that is not there ends the start in a sentence (%s)",
  async (shape) => {
    const env = { NATS_URL: operator.url, NATS_CA_FILE: operator.caFile, NATS_CREDENTIALS_FILE: "/nowhere/ems.creds" };
    await expect(startProduct(shape, { env })).rejects.toThrow("NATS_CREDENTIALS_FILE cannot be read (ENOENT)");
  },
);
