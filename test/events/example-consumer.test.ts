// The example consumer as its README has it: types generated from the published schema, a user made by `ems nats user`, a mesh
// with the nats-server that it starts itself. Killed in the middle, it misses nothing and does nothing twice.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { toBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { published } from "@ems/proto/published";
import { afterAll, beforeAll, expect, test } from "vitest";
import { emsAs } from "../harness/cli.ts";
import { natsServerBinary } from "../harness/nats.ts";
import { type Product, startProduct } from "../harness/product.ts";

const root = join(import.meta.dirname, "../..");
const dataDir = await temporaryDir("ems-test-example-data-");
const dir = await temporaryDir("ems-test-example-");
const ledger = join(dir, "events.ndjson");
const ackWait = "ack_wait: nanos(30_000)";
let product: Product;
let reader: { user: string; password: string };
const running: ChildProcess[] = [];

beforeAll(async () => {
  const ems = emsAs({ baseUrl: "http://127.0.0.1:1", apiKey: "none", applicationId: "none" });
  const made = await ems(["nats", "user", "example", "--local", "--json"], { env: { DATA_DIR: dataDir } });
  reader = JSON.parse(made.stdout);
  product = await startProduct("mesh", { dataDir, env: { NATS_SERVER: await natsServerBinary() } });
  await cp(join(root, "deploy/example/events/typescript"), dir, { recursive: true });
  const program = await readFile(join(dir, "consumer.ts"), "utf8");
  expect(program).toContain(ackWait);
  // What a killed consumer had not acknowledged comes again after three seconds instead of 30.
  await writeFile(join(dir, "consumer.ts"), program.replace(ackWait, "ack_wait: nanos(3_000)"));
  await symlink(join(root, "test/node_modules"), join(dir, "node_modules"));
  const image = join(dir, "schema.binpb");
  await writeFile(image, toBinary(FileDescriptorSetSchema, published));
  const bin = join(root, "proto/node_modules/.bin");
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  await promisify(execFile)(join(bin, "buf"), ["generate", image, "--template", "buf.gen.yaml"], { cwd: dir, env });
});
afterAll(async () => {
  for (const child of running) child.kill("SIGKILL");
  await product?.remove();
  await rm(dir, { recursive: true, force: true });
});

function startConsumer(): ChildProcess {
  const child = spawn(process.execPath, ["consumer.ts"], {
    cwd: dir,
    env: {
      ...process.env,
      NATS_URL: product.facts.natsUrl,
      NATS_USER: reader.user,
      NATS_PASSWORD: reader.password,
      LEDGER: ledger,
    },
    stdio: ["ignore", "inherit", "inherit"],
  });
  running.push(child);
  return child;
}

async function createTopics(from: number, count: number): Promise<string[]> {
  const { baseUrl, apiKey = "", applicationId } = product.facts;
  const titles = Array.from({ length: count }, (_, at) => `Topic ${from + at}`);
  for (const title of titles) {
    const headers = { "content-type": "application/json", "x-api-key": apiKey, "x-application-id": applicationId };
    const answer = await fetch(`${baseUrl}/v0/topics`, { method: "POST", headers, body: JSON.stringify({ title }) });
    expect(answer.status).toBe(201);
  }
  return titles;
}

const handled = async (): Promise<{ id: string; case: string; title?: string }[]> =>
  (await readFile(ledger, "utf8").catch(() => ""))
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
const titles = async () => (await handled()).flatMap(({ title }) => title ?? []).sort();

test("the example reads every event once, over a kill -9 and a restart", async () => {
  const first = startConsumer();
  const creating = createTopics(0, 100);
  await expect.poll(async () => (await titles()).length).toBeGreaterThan(10);
  first.kill("SIGKILL");
  await once(first, "exit");
  const before = await creating;
  expect((await titles()).length).toBeLessThan(before.length);
  const between = await createTopics(100, 20);
  const second = startConsumer();
  // What the killed one had not acknowledged comes again when its ack wait is over.
  await expect.poll(titles, { timeout: 120_000 }).toEqual([...before, ...between].sort());
  expect(new Set((await handled()).map(({ id }) => id)).size).toBe((await handled()).length);
  second.kill("SIGTERM");
  expect(await once(second, "exit")).toEqual([0, null]);
});
