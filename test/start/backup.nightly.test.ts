// `ems backup | ems restore` between two installations, while writes to the first one go on.

import { execFile } from "node:child_process";
import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { deployConfig } from "@ems/dev/config";
import { openInstallation } from "@ems/dev/installation";
import { newId } from "@ems/kit/id";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { emsAs } from "../harness/cli.ts";
import { newDataDir } from "../harness/data-dir.ts";
import { startProduct } from "../harness/product.ts";
import { unlimited } from "../harness/unlimited.ts";

const root = join(import.meta.dirname, "../..");
const product = await startProduct("one", { env: unlimited });
const target = await newDataDir("ems-test-restored-");
afterAll(async () => {
  await product.remove();
  await rm(target, { recursive: true, force: true });
});
const { baseUrl, applicationId, apiKey = "", dataDir } = product.facts;
await copyFile(join(dataDir, "secrets.json"), join(target, "secrets.json"));

const headers = { "x-api-key": apiKey, "x-application-id": applicationId, "content-type": "application/json" };
const erasedUser = "ann@example.com";
const ingested = {
  events: [{ type: "trace", metadata: { user: erasedUser }, steps: [{ type: "log", content: "4711x" }] }],
};
await fetch(`${baseUrl}/v0/ingest`, { method: "POST", headers, body: JSON.stringify(ingested) });
const tracesAt = async (url: string) => {
  const answer = await fetch(`${url}/v0/traces?user=${erasedUser}`, { headers });
  return ((await answer.json()) as { pagination: { total: number } }).pagination.total;
};

interface Write {
  readonly title: string;
  readonly sentAt: number;
  acknowledgedAt?: number;
}

/** Creates topics one after the other until `stopped`; their titles contain the writer and a number. */
async function write(writer: number, stopped: AbortSignal, writes: Write[]): Promise<void> {
  for (let n = 0; !stopped.aborted; n++) {
    const attempt: Write = { title: `${writer}-${n}-${newId()}`, sentAt: Date.now() };
    writes.push(attempt);
    const body = JSON.stringify({ title: attempt.title });
    const answer = await fetch(`${baseUrl}/v0/topics`, { method: "POST", headers, body });
    expect(answer.status).toBe(201);
    await answer.body?.cancel();
    attempt.acknowledgedAt = Date.now();
  }
}

test("under load, what was acknowledged before the backup's point is restored, nothing begun after it, each writer's a prefix", async () => {
  const stop = new AbortController();
  const writers: Write[][] = [[], [], []];
  const writing = Promise.all(writers.map((writes, n) => write(n, stop.signal, writes)));
  const longer = () => {
    const counts = writers.map((writes) => writes.length + 10);
    return Promise.race([
      writing,
      expect.poll(() => writers.every((writes, n) => writes.length > (counts[n] ?? 0))).toBe(true),
    ]);
  };
  await longer();

  const { stderr } = await promisify(execFile)(
    "sh",
    ["-c", '"$NODE" deploy/dev/backup.ts | DATA_DIR="$TARGET" "$NODE" deploy/dev/restore.ts'],
    { cwd: root, env: { ...process.env, NODE: process.execPath, DATA_DIR: dataDir, TARGET: target } },
  );
  await longer();
  stop.abort();
  await writing;
  const takenAt = Date.parse(/as of (\S+), /.exec(/^Restored .*/m.exec(stderr)?.[0] ?? stderr)?.[1] ?? "");

  const installation = await openInstallation(deployConfig({ DATA_DIR: target }), () => undefined);
  const client = new pg.Client({ connectionString: installation.urlAs("ems_backup") });
  await client.connect();
  const { rows } = await client.query<{ title: string }>("SELECT title FROM catalog.topic");
  const restored = new Set(rows.map(({ title }) => title));
  await client.end();
  await installation.close();

  for (const writes of writers) {
    const found = writes.filter(({ title }) => restored.has(title));
    expect(found).toEqual(writes.slice(0, found.length));
    const acknowledged = writes.filter(({ acknowledgedAt = Infinity }) => acknowledgedAt < takenAt);
    expect(found.length).toBeGreaterThanOrEqual(acknowledged.length);
    expect(acknowledged.length).toBeGreaterThan(5);
    // The backup's point in time is at most a second after `takenAt`.
    expect(found.every(({ sentAt }) => sentAt < takenAt + 1_000)).toBe(true);
    expect(found.length).toBeLessThan(writes.length);
  }
});

test("a user who was erased after the backup is there again in its restore, until the list of users erases them", {
  retry: 0,
}, async () => {
  const erase = (url: string) =>
    emsAs({ baseUrl: url, apiKey, applicationId })(["erase", "--users", "-"], { stdin: erasedUser });
  expect(await tracesAt(baseUrl)).toBe(1);
  expect((await erase(baseUrl)).code).toBe(0);
  expect(await tracesAt(baseUrl)).toBe(0);
  const restored = await startProduct("one", { dataDir: target });
  try {
    const { baseUrl: url } = restored.facts;
    expect(await tracesAt(url)).toBe(1);
    expect(await erase(url)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^traces +1$/m) });
    expect(await tracesAt(url)).toBe(0);
  } finally {
    await restored.stop();
  }
});
