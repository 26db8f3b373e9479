// Reports that cannot end: what becomes of them when their deadline passes or their client goes, and of everybody else's.

import { ownerRole } from "@ems/kit/db/schema";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type FaultMesh, startFaultMesh } from "../harness/fault-mesh.ts";
import { newWriterWithoutWebhook, type Writer } from "../harness/writer.ts";

let mesh: FaultMesh;
beforeAll(async () => {
  mesh = await startFaultMesh();
}, 60_000);
afterAll(() => mesh.close(), 60_000);

let locker: pg.Client;
beforeEach(async () => {
  locker = new pg.Client({ connectionString: mesh.installation.urlAs(ownerRole) });
  await locker.connect();
  // What reads tags waits from now on; nothing else does.
  await locker.query("BEGIN; LOCK TABLE catalog.tag IN ACCESS EXCLUSIVE MODE");
});
afterEach(() => locker.end());

const path = "/v0/reporting/query";
const query = (datasource: string) => ({ datasource, timezone: "UTC" });
const report = ({ send }: Writer, datasource: string) => send("POST", path, query(datasource));

/** Waits until PostgreSQL is at so many of the reports on tags. */
const atWork = (count: number) =>
  expect.poll(async () => (await working()).length, { timeout: 60_000, interval: 50 }).toBe(count);
const working = () =>
  mesh.sql(
    "SELECT pid FROM pg_stat_activity WHERE usename = 'ems_reporting' AND state = 'active' AND query LIKE '%tag_v1%'",
  );

test("past their deadline they are cancelled in PostgreSQL and answered 504; other applications' go on meanwhile", async () => {
  const [writer, other] = [await newWriterWithoutWebhook(mesh), await newWriterWithoutWebhook(mesh)];
  const answers: { status: number; message: string }[] = [];
  const requests = Array.from({ length: 120 }, async () => {
    const answer = await report(writer, "tag");
    const { message } = (await answer.json()) as { message: string };
    answers.push({ status: answer.status, message });
  });
  // A third of the ten connections are one application's at most, a hundred of its reports wait their turn.
  await atWork(3);
  const tooManyRequests = Array.from({ length: 17 }, () => ({
    status: 429,
    message: "Too many reports of this application at once",
  }));
  await expect.poll(() => answers).toEqual(tooManyRequests);

  for (let times = 0; times < 10; times += 1) {
    for (const one of [await report(other, "topic"), await report(other, "eval")]) {
      expect(await one.json()).toMatchObject({ pagination: { total: 0 } });
    }
  }
  expect([answers.length, (await working()).length]).toEqual([17, 3]);

  await Promise.all(requests);
  for (const one of answers.slice(17)) expect(one).toEqual({ status: 504, message: "Deadline exceeded" });
  // The lock is held all the time: nothing but a cancellation ends them.
  await atWork(0);
  expect((await report(writer, "topic")).status).toBe(200);

  await locker.query("COMMIT");
  expect((await report(writer, "tag")).status).toBe(200);
  expect(mesh.crashes).toEqual([]);
});

test("one whose client goes is cancelled in PostgreSQL at once", async () => {
  const { baseUrl, apiKey, applicationId } = await newWriterWithoutWebhook(mesh);
  const headers = { "x-api-key": apiKey, "x-application-id": applicationId, "content-type": "application/json" };
  const client = new AbortController();
  const request = { method: "POST", headers, body: JSON.stringify(query("tag")), signal: client.signal };
  const requests = fetch(`${baseUrl}${path}`, request).catch((error: unknown) => error);
  await atWork(1);
  client.abort();
  expect(await requests).toMatchObject({ name: "AbortError" });
  // Sooner than its deadline would end it.
  await atWork(0);
});
