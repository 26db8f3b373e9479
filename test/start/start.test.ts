// `npm start`: one installation is started, stopped, killed and started again.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { access, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { startEmbeddedPostgres } from "@ems/dev/postgres";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { isAlive } from "../harness/alive.ts";
import { startProduct } from "../harness/product.ts";
import { requestTopics } from "./request-topics.ts";

const root = join(import.meta.dirname, "../..");
/** A repeated test would find another state, since the test stops or starts processes. */
const triedOnce = { retry: 0 };
const pidFile = "pg/postmaster.pid";

const postgresPid = async (dataDir: string) => Number.parseInt(await readFile(join(dataDir, pidFile), "utf8"), 10);

describe("one installation", async () => {
  const dataDir = await temporaryDir("ems-test-start-");
  // Without a drain delay, closing the port resets connections that are not accepted yet.
  const start = () => startProduct("one", { dataDir, env: { DRAIN_DELAY_MS: "500" } });
  let product = await start();
  const { apiKey, applicationId } = product.facts;
  const topic = await requestTopics(product, apiKey, { title: "kept" });
  afterAll(() => product.remove());

  const bootstrap = async (...options: string[]) => {
    const env = { ...process.env, DATA_DIR: dataDir };
    const args = ["deploy/dev/bootstrap.ts", "--json", ...options];
    return JSON.parse((await promisify(execFile)(process.execPath, args, { cwd: root, env })).stdout);
  };

  test("a second product on the same data is refused in a sentence, and the first goes on", async () => {
    expect(apiKey).toMatch(/^ems_/);
    await expect(start()).rejects.toThrow(/Another run \(process \d+\) is using/);
    expect(await requestTopics(product, apiKey)).toEqual([topic]);
  });

  test("npm run bootstrap creates another key of a running product", async () => {
    const made = await bootstrap("--user", "Ada", "--email", "ada@example.com");
    expect(made.applicationId).toBe(applicationId);
    expect(await requestTopics(product, made.apiKey)).toEqual([topic]);
    await expect(bootstrap("--email", "ada@example.com")).rejects.toThrow(/--email requires --user/);
  });

  test(
    "Ctrl-C answers the requests that run and stops everything that was started, PostgreSQL too",
    triedOnce,
    async () => {
      const pid = await postgresPid(dataDir);
      expect(isAlive(pid)).toBe(true);
      const answers = Array.from({ length: 20 }, () => requestTopics(product, apiKey, { title: "in flight" }));
      // After the first answer, the other requests are in progress.
      await Promise.race(answers);
      const stopped = product.stop();
      expect(await Promise.all(answers)).toHaveLength(20);
      expect(await stopped).toBe(0);
      expect(isAlive(pid)).toBe(false);
      await expect(access(join(dataDir, "running.json"))).rejects.toThrow(/ENOENT/);
    },
  );

  test("npm run bootstrap starts a stopped installation for the while", triedOnce, async () => {
    const made = await bootstrap();
    await expect(access(join(dataDir, pidFile))).rejects.toThrow(/ENOENT/);
    product = await start();
    expect(await requestTopics(product, made.apiKey)).toContainEqual(topic);
  });

  test("a second start finds the data again, and makes no second key", async () => {
    expect(product.facts.apiKey).toBeUndefined();
    expect(product.facts.applicationId).toBe(applicationId);
    expect(await requestTopics(product, apiKey)).toContainEqual(topic);
  });

  test("a run that was killed hard does not stop the next start", async () => {
    const acknowledged = await requestTopics(product, apiKey, { title: "acknowledged" });
    product.process.kill("SIGKILL");
    await product.ended;
    product = await start();
    expect(await requestTopics(product, apiKey)).toContainEqual(acknowledged);
  });
});

describe("a fresh directory", () => {
  let dataDir: string;
  const start = async (env: Record<string, string>) => {
    dataDir = await temporaryDir("ems-test-start-");
    return startProduct("one", { dataDir, env });
  };
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  test("the product runs on a server that DATABASE_URL names, and starts no other", async () => {
    const serverDir = await temporaryDir("ems-test-server-");
    const server = await startEmbeddedPostgres({ dataDir: serverDir, volatile: true });
    try {
      const product = await start({ DATABASE_URL: new URL("/evaluations", server.url).href });
      const title = "elsewhere";
      expect(await requestTopics(product, product.facts.apiKey, { title })).toMatchObject({ title });
      await expect(access(join(dataDir, pidFile))).rejects.toThrow(/ENOENT/);
      expect(await product.stop()).toBe(0);
    } finally {
      await server.stop();
      await rm(serverDir, { recursive: true, force: true });
    }
  });

  test("npm start --silent -- --json writes one line of JSON to stdout and all else to stderr, and Ctrl-C ends it", async () => {
    dataDir = await temporaryDir("ems-test-start-");
    const npm = spawn("npm", ["start", "--silent", "--", "--json"], {
      cwd: root,
      env: { ...process.env, DATA_DIR: dataDir, PORT: "0", GRPC_PORT: "0" },
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
    expect(Object.keys(JSON.parse(stdout)).sort()).toEqual([
      "adminUrl",
      "apiKey",
      "applicationId",
      "baseUrl",
      "consoleUrl",
      "grpcUrl",
      "orgId",
    ]);
    const pid = await postgresPid(dataDir);
    // A terminal sends Ctrl-C to the whole foreground group, and npm passes it on as well.
    process.kill(-(npm.pid ?? 0), "SIGINT");
    await ended;
    expect(stdout.trimEnd().split("\n")).toHaveLength(1);
    await expect.poll(() => isAlive(pid)).toBe(false);
  });
});
