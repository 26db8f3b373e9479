// `npm start` as a person meets it.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { startEmbeddedPostgres } from "@ems/dev/postgres";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isAlive } from "../harness/alive.ts";
import { type Product, startProduct } from "../harness/product.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
let dataDir: string;
const started: Product[] = [];

beforeEach(async () => {
  dataDir = await temporaryDir("ems-test-start-");
});
afterEach(async () => {
  for (const product of started.splice(0)) await product.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(env: Record<string, string> = {}): Promise<Product> {
  const product = await startProduct("one", { dataDir, env });
  started.push(product);
  return product;
}

async function topics({ facts }: Product, apiKey: string | undefined, body?: object) {
  const response = await fetch(`${facts.baseUrl}/v0/topics`, {
    headers: { "x-api-key": apiKey ?? "", "x-application-id": facts.applicationId, "content-type": "application/json" },
    ...(body && { method: "POST", body: JSON.stringify(body) }),
  });
  const { data } = (await response.json()) as { data: unknown };
  return data;
}

/** The pid of the installation's PostgreSQL. */
async function postgresPid(): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, "pg/postmaster.pid"), "utf8"), 10);
}

test("a second start on the same data finds the topic again, and makes no second key", async () => {
  const first = await start();
  const { apiKey } = first.facts;
  expect(apiKey).toMatch(/^ems_/);
  const topic = await topics(first, apiKey, { title: "kept" });
  expect(await first.stop()).toBe(0);

  const second = await start();
  expect(second.facts.apiKey).toBeUndefined();
  expect(second.facts.applicationId).toBe(first.facts.applicationId);
  expect(await topics(second, apiKey)).toEqual([topic]);
});

test("Ctrl-C stops everything that was started, PostgreSQL too, and leaves no word of a running product", async () => {
  const product = await start();
  const pid = await postgresPid();
  expect(isAlive(pid)).toBe(true);
  expect(await product.stop()).toBe(0);
  expect(isAlive(pid)).toBe(false);
  await expect(readFile(join(dataDir, "running.json"))).rejects.toThrow(/ENOENT/);
});

test("a run that was killed hard does not stop the next start", async () => {
  const killed = await start();
  const topic = await topics(killed, killed.facts.apiKey, { title: "acknowledged" });
  killed.process.kill("SIGKILL");
  await killed.ended;
  const next = await start();
  expect(await topics(next, killed.facts.apiKey)).toEqual([topic]);
});

test("a second product on the same data is refused in a sentence, and the first goes on", async () => {
  const first = await start();
  await expect(start()).rejects.toThrow(/Another run \(process \d+\) is using/);
  expect(await topics(first, first.facts.apiKey)).toEqual([]);
});

test("a port that is taken is told in a sentence, and nothing is left running", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  await expect(start({ PORT: String(port) })).rejects.toThrow(/Cannot start: .*EADDRINUSE/);
  server.close();
  await expect(readFile(join(dataDir, "pg/postmaster.pid"))).rejects.toThrow(/ENOENT/);
});

test("configuration faults come all at once, by name and without values", async () => {
  const failed = start({ PORT: "high", LOG_LEVEL: "loud", DATABASE_URL: "mysql://root:hunter2@db" });
  await expect(failed).rejects.toThrow(/DATABASE_URL.*\n.*PORT/);
  await expect(failed).rejects.not.toThrow(/hunter2/);
});

test("npm run bootstrap makes another key beside a running product, and brings a stopped one up for the while", async () => {
  const bootstrap = async (...who: string[]) => {
    const { stdout } = await run(process.execPath, ["deploy/dev/bootstrap.ts", "--json", ...who], {
      cwd: root,
      env: { ...process.env, DATA_DIR: dataDir },
    });
    return JSON.parse(stdout);
  };
  const before = await bootstrap();
  const product = await start();
  const beside = await bootstrap("--user", "Ada", "--email", "ada@example.com");
  expect(beside.applicationId).toBe(product.facts.applicationId);
  for (const { apiKey } of [before, beside]) expect(await topics(product, apiKey)).toEqual([]);
  await expect(bootstrap("--email", "ada@example.com")).rejects.toThrow(/--email needs --user/);
});

test("the product runs on a server that DATABASE_URL names, and keeps nothing of its own running", async () => {
  const other = await temporaryDir("ems-test-server-");
  const server = await startEmbeddedPostgres({ dataDir: other, volatile: true });
  try {
    const product = await start({ DATABASE_URL: new URL("/evaluations", server.url).href });
    expect(await topics(product, product.facts.apiKey, { title: "elsewhere" })).toMatchObject({ title: "elsewhere" });
    await expect(readFile(join(dataDir, "pg/postmaster.pid"))).rejects.toThrow(/ENOENT/);
    expect(await product.stop()).toBe(0);
  } finally {
    await server.stop();
    await rm(other, { recursive: true, force: true });
  }
});

test("requests that run when it is told to stop are answered", async () => {
  // Connections that wait to be accepted when a port closes are reset; the drain delay is there for them.
  const product = await start({ DRAIN_DELAY_MS: "500" });
  const answers = Array.from({ length: 20 }, () => topics(product, product.facts.apiKey, { title: "in flight" }));
  // The first answer shows that the others are on their way.
  await Promise.race(answers);
  const stopped = product.stop();
  expect(await Promise.all(answers)).toHaveLength(20);
  expect(await stopped).toBe(0);
});

test("npm start -- --json writes one line of JSON to stdout and all else to stderr, and Ctrl-C ends it", async () => {
  const npm = spawn("npm", ["start", "--", "--json"], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, PORT: "0" },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let stdout = "";
  const line = new Promise<void>((resolve) =>
    npm.stdout.on("data", (chunk) => {
      stdout += chunk;
      if (stdout.includes("\n")) resolve();
    }),
  );
  const ended = once(npm, "close");
  await Promise.race([line, ended]);
  expect(Object.keys(JSON.parse(stdout)).sort()).toEqual(["adminUrl", "apiKey", "applicationId", "baseUrl", "orgId"]);
  const pid = await postgresPid();
  // A terminal sends Ctrl-C to the whole foreground group, and npm passes it on as well.
  process.kill(-(npm.pid ?? 0), "SIGINT");
  await ended;
  expect(stdout.trimEnd().split("\n")).toHaveLength(1);
  await expect.poll(() => isAlive(pid)).toBe(false);
});
