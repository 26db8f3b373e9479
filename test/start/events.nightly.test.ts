// Transport of events and mails in both shapes: a NATS server and a mail relay, or none.

import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { readStartTime } from "@ems/dev/process-info";
import { testNatsOperator } from "@ems/test-support/nats-operator";
import pg from "pg";
import { afterAll, describe, expect, inject, test } from "vitest";
import { isAlive } from "../harness/alive.ts";
import { findProcess } from "../harness/mesh-address.ts";
import { type Product, type Shape, startProduct } from "../harness/product.ts";

/** No retries: these tests count what the tests before them created. */
const oneAfterAnother = { retry: 0 };
const withNats = { NATS_SERVER: inject("natsServer") };

function post({ facts: { baseUrl, apiKey = "", applicationId } }: Product, path: string, body: object, key = apiKey) {
  const headers = { "x-api-key": key, "x-application-id": applicationId, "content-type": "application/json" };
  return fetch(baseUrl + path, { method: "POST", headers, body: JSON.stringify(body) });
}

const createTopic = async (product: Product, key?: string) =>
  (await post(product, "/v0/topics", { title: "Opening an account" }, key)).status;

/** Number of catalog's events in its outbox, and number handled by notifications. */
async function events({ facts: { dataDir } }: Product): Promise<{ waiting: number; handled: number }> {
  const { adminUrl } = JSON.parse(await readFile(join(dataDir, "running.json"), "utf8"));
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rows } = await client.query(
      `SELECT (SELECT count(*)::int FROM catalog.outbox WHERE published_at IS NULL) AS waiting,
         (SELECT count(*)::int FROM notifications.inbox JOIN catalog.outbox ON id = event_id) AS handled`,
    );
    return rows[0];
  } finally {
    await client.end();
  }
}

const natsPid = async ({ facts: { dataDir } }: Product) =>
  Number(await readFile(join(dataDir, "nats/nats.pid"), "utf8"));

/** Without a relay, feedback is stored as a file in MAIL_DIR, with a page on the admin port. */
async function feedbackIsStored(product: Product): Promise<void> {
  const { shape, adminUrl, dataDir } = product.facts;
  const answer = await post(product, "/v0/feedback", { feedback: "<i>Keep this</i>" });
  expect(await answer.json()).toEqual({ success: false });
  const [name = "", ...more] = await readdir(join(dataDir, "mail"));
  expect(more).toEqual([]);
  expect((await stat(join(dataDir, "mail", name))).mode & 0o777).toBe(0o600);
  // In a mesh the pages are on the admin port of notifications.
  const mailUrl = `${shape === "one" ? adminUrl : (await findProcess(product.facts, "notifications")).adminUrl}/mail`;
  expect(await (await fetch(mailUrl)).text()).toContain(`href="/mail/${name}"`);
  expect(await (await fetch(`${mailUrl}/${name}`)).text()).toContain("&lt;i&gt;Keep this&lt;/i&gt;");
  expect(product.stderr()).not.toContain("Keep this");
}

describe("npm start", oneAfterAnother, async () => {
  let product = await startProduct("one");
  const { dataDir, apiKey = "" } = product.facts;
  afterAll(() => product.remove());
  const restart = async () => {
    product = await startProduct("one", { dataDir, env: withNats });
  };

  test("without NATS it says that events stay in the process, and they are handled there", async () => {
    expect(product.stderr()).toContain("No NATS: NATS_URL is not set and PATH has no nats-server.");
    expect(await createTopic(product)).toBe(201);
    await expect.poll(() => events(product)).toEqual({ waiting: 0, handled: 1 });
  });

  test("without a mail relay feedback is stored, and listed under /mail of the admin port", () =>
    feedbackIsStored(product));

  test("a nats-server in PATH transports the events", async () => {
    expect(await product.stop()).toBe(0);
    await restart();
    expect(product.stderr()).not.toContain("No NATS");
    expect(await createTopic(product, apiKey)).toBe(201);
    await expect.poll(() => events(product)).toEqual({ waiting: 0, handled: 2 });
  });

  test("a nats-server left behind by a run that was killed hard is stopped by the next start", async () => {
    const left = await natsPid(product);
    product.process.kill("SIGKILL");
    await product.ended;
    expect(await readStartTime(left)).not.toBeNull();
    await restart();
    expect(await readStartTime(left)).toBeNull();
    expect(await natsPid(product)).not.toBe(left);
  });

  test("a nats-server that is killed is reported and costs no write; the next start publishes the waiting events", async () => {
    process.kill(await natsPid(product), "SIGKILL");
    await expect.poll(product.stderr).toContain("nats-server ended unexpectedly");
    expect(await createTopic(product, apiKey)).toBe(201);
    expect((await fetch(`${product.facts.adminUrl}/readyz`)).status).toBe(200);
    expect(await events(product)).toEqual({ waiting: 1, handled: 2 });
    expect(await product.stop()).toBe(0);
    await restart();
    await expect.poll(() => events(product)).toEqual({ waiting: 0, handled: 3 });
  });

  test("it stops its nats-server when it is stopped", async () => {
    const pid = await natsPid(product);
    expect(isAlive(pid)).toBe(true);
    expect(await product.stop()).toBe(0);
    expect(isAlive(pid)).toBe(false);
  });
});

describe("npm run mesh", oneAfterAnother, async () => {
  let product = await startProduct("mesh");
  afterAll(() => product.remove());

  test("without NATS it says that events stay in the outboxes", async () => {
    expect(product.stderr()).toContain("Events stay in the outboxes until NATS is available.");
    expect(await createTopic(product)).toBe(201);
    expect(await events(product)).toEqual({ waiting: 1, handled: 0 });
  });

  test("without a mail relay feedback is stored, and listed under /mail of notifications' admin port", () =>
    feedbackIsStored(product));

  test("a nats-server in PATH gets the waiting events, and is stopped at the end", async () => {
    expect(await product.stop()).toBe(0);
    product = await startProduct("mesh", { dataDir: product.facts.dataDir, env: withNats });
    await expect.poll(() => events(product)).toEqual({ waiting: 0, handled: 1 });
    const pid = await natsPid(product);
    expect(await product.stop()).toBe(0);
    expect(isAlive(pid)).toBe(false);
  });
});

describe.each<Shape>(["one", "mesh"])("a NATS server with TLS and credentials (%s)", async (shape) => {
  const { url, caFile, credentials } = await testNatsOperator();
  const env = { NATS_URL: url, NATS_CA_FILE: caFile };

  test("with a credentials file every process connects, and events are handled", async () => {
    const product = await startProduct(shape, { env: { ...env, NATS_CREDENTIALS_FILE: await credentials() } });
    try {
      expect(await createTopic(product)).toBe(201);
      await expect.poll(() => events(product)).toEqual({ waiting: 0, handled: 1 });
      const readiness = async () => (await fetch(`${product.facts.adminUrl}/readyz`)).json();
      await expect.poll(readiness).toEqual({ status: "ok" });
    } finally {
      await product.remove();
    }
  });

  test("a credentials file that does not exist ends the start with the reason", async () => {
    const failed = startProduct(shape, { env: { ...env, NATS_CREDENTIALS_FILE: "/nowhere/ems.creds" } });
    await expect(failed).rejects.toThrow("NATS_CREDENTIALS_FILE cannot be read (ENOENT)");
  });
});

test("a NATS_SERVER that cannot be run ends the start with the reason", async () => {
  await expect(startProduct("one", { env: { NATS_SERVER: "/nowhere/nats-server" } })).rejects.toThrow(
    /Cannot start: NATS_SERVER is not an executable file: \/nowhere/,
  );
});
