// Tests an example consumer in any language: killed while it runs, it misses no event and handles none twice.

import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { emsAs } from "../harness/cli.ts";
import { newDataDir } from "../harness/data-dir.ts";
import { natsServerBinary } from "../harness/nats.ts";
import { type Product, startProduct } from "../harness/product.ts";

export interface ReaderMesh {
  readonly product: Product;
  /** Stops the mesh. Tests call this themselves, since a hook that is added within a hook never runs. */
  close(): Promise<void>;
  /** Environment of a consumer that runs in the folder. */
  env(folder: string): NodeJS.ProcessEnv;
}

/** Starts a mesh with a nats-server of its own, and a user created by `ems nats user`. */
export async function startReaderMesh(): Promise<ReaderMesh> {
  const dataDir = await newDataDir("ems-test-example-data-");
  const ems = emsAs({ baseUrl: "http://127.0.0.1:1", apiKey: "none", applicationId: "none" });
  const made = await ems(["nats", "user", "example", "--local", "--json"], { env: { DATA_DIR: dataDir } });
  const { user, password } = JSON.parse(made.stdout);
  const product = await startProduct("mesh", { dataDir, env: { NATS_SERVER: await natsServerBinary() } });
  const { natsUrl } = product.facts;
  const reader = { NATS_URL: natsUrl, NATS_USER: user, NATS_PASSWORD: password };
  return {
    product,
    close: () => product.remove(),
    env: (folder) => ({ ...process.env, ...reader, LEDGER: getLedger(folder) }),
  };
}

const getLedger = (folder: string) => join(folder, "events.ndjson");

/** Shortens the wait before a killed consumer's unacknowledged events are redelivered, from 30 to 3 seconds. */
export async function shortenAckWait(program: string, ackWait: string): Promise<void> {
  const text = await readFile(program, "utf8");
  expect(text).toContain(ackWait);
  await writeFile(program, text.replace(ackWait, ackWait.replace("30", "3")));
}

/** Kills the program once, and stops it at the end. */
export async function expectEachOnce(
  { product }: ReaderMesh,
  folder: string,
  start: () => ChildProcess,
): Promise<void> {
  const handled = async (): Promise<{ id: string; title?: string | null }[]> =>
    (await readFile(getLedger(folder), "utf8").catch(() => ""))
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  const titles = async () => (await handled()).flatMap(({ title }) => title ?? []).sort();
  const running: ChildProcess[] = [];
  const startOne = () => {
    const child = start();
    running.push(child);
    return child;
  };
  try {
    const first = startOne();
    const creating = createTopics(product, 0, 100);
    await expect.poll(async () => (await titles()).length).toBeGreaterThan(10);
    first.kill("SIGKILL");
    await once(first, "exit");
    const before = await creating;
    const between = await createTopics(product, 100, 20);
    const second = startOne();
    // NATS redelivers unacknowledged events when the ack wait ends.
    await expect.poll(titles, { timeout: 120_000 }).toEqual([...before, ...between].sort());
    expect(new Set((await handled()).map(({ id }) => id)).size).toBe((await handled()).length);
    second.kill("SIGTERM");
    expect(await once(second, "exit")).toEqual([0, null]);
  } finally {
    for (const child of running) child.kill("SIGKILL");
  }
}

async function createTopics({ facts }: Product, from: number, count: number): Promise<string[]> {
  const { baseUrl, apiKey = "", applicationId } = facts;
  const titles = Array.from({ length: count }, (_, at) => `Topic ${from + at}`);
  for (const title of titles) {
    const headers = { "content-type": "application/json", "x-api-key": apiKey, "x-application-id": applicationId };
    const answer = await fetch(`${baseUrl}/v0/topics`, { method: "POST", headers, body: JSON.stringify({ title }) });
    expect(answer.status).toBe(201);
  }
  return titles;
}
