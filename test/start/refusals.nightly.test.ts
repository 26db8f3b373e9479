// A command that cannot start, or gets an unsupported option, prints the reason in one sentence.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { access, readdir, rename, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { deployConfig } from "@ems/dev/config";
import { joinInstallation } from "@ems/dev/installation";
import { startEmbeddedPostgres } from "@ems/dev/postgres";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { withClient } from "@ems/kit/db/client";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { startProduct } from "../harness/product.ts";
import { requestTopics } from "./request-topics.ts";

const root = join(import.meta.dirname, "../..");
/** A repeated test would find another state, since the test stops or starts processes. */
const triedOnce = { retry: 0 };

/** Runs a program; returns its exit and its output. */
async function run(program: string, args: readonly string[], env: Record<string, string>) {
  const child = spawn(program, args, { cwd: root, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
    // Stops a product that starts unexpectedly.
    if (stdout.includes('"baseUrl"')) child.kill("SIGINT");
  });
  child.stderr.on("data", (chunk) => (stderr += chunk));
  const [code] = await once(child, "close");
  return { code, stdout, stderr };
}
const ended = (args: readonly string[], env: Record<string, string>) => run(process.execPath, args, env);
const up = (env: Record<string, string>, ...args: string[]) =>
  ended(["deploy/dev/up.ts", "one", ...args], {
    PORT: "0",
    GRPC_PORT: "0",
    CONSOLE: "off",
    NATS_SERVER: "none",
    ...env,
  });

test("programs list their options, and exit with 2 for unsupported ones", async () => {
  for (const name of ["bootstrap", "migrate", "seed"]) {
    const helped = await ended([`deploy/dev/${name}.ts`, "--help"], {});
    expect(helped).toMatchObject({ code: 0, stdout: expect.stringMatching(new RegExp(`^${name} `)), stderr: "" });
    const refused = await ended([`deploy/dev/${name}.ts`, "--nothing"], {});
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^Cannot \w+: Unknown option '--nothing'/),
    });
  }
});

test("a backup of nothing and a restore of no file are refused before an installation is made", async () => {
  const folder = await temporaryDir("ems-test-start-");
  for (const [name, args, sentence] of [
    ["backup", [], /^Cannot back up: there is no installation in DATA_DIR \S+\n$/],
    ["restore", ["/none"], /^Cannot restore: \/none cannot be read: ENOENT.*\n$/],
  ] as const) {
    const refused = await ended([`deploy/dev/${name}.ts`, ...args], { DATA_DIR: folder });
    expect(refused).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(sentence) });
  }
  expect(await readdir(folder)).toEqual([]);
  await rm(folder, { recursive: true });
});

test("npx adds nothing to what a command prints, and npm reports a script that does not exist", async () => {
  const failed = await run("npx", ["ems", "report", "topic", "--json"], { EMS_API_KEY: "" });
  expect(failed).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(/^API key missing: .*\n$/) });
  const { code, stderr } = await run("npm", ["run", "strat"], {});
  expect(code).toBe(1);
  expect(stderr).toContain('Missing script: "strat"');
});

describe("an installation", async () => {
  const dataDir = await temporaryDir("ems-test-start-");
  const start = () => startProduct("one", { dataDir });
  let product = await start();
  const { apiKey, applicationId } = product.facts;
  const topic = await requestTopics(product, apiKey, { title: "kept" });
  afterAll(() => product.remove());

  test("lost secrets are not silently replaced, and replaced only on request", triedOnce, async () => {
    await product.stop();
    const file = join(dataDir, "secrets.json");
    await rename(file, `${file}.lost`);
    await expect(start()).rejects.toThrow(/secrets\.json is missing, but the database has data\. .*--new-secrets/);
    await expect(access(file)).rejects.toThrow(/ENOENT/);
    const { stdout } = await up({ DATA_DIR: dataDir }, "--new-secrets", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ applicationId });
    await rename(`${file}.lost`, file);
    product = await start();
    expect(await requestTopics(product, apiKey)).toContainEqual(topic);
  });

  test("a database of a newer version is refused by name, and stays unchanged", triedOnce, async () => {
    const asOwner = async (statement: string) => {
      const installation = await joinInstallation(deployConfig({ DATA_DIR: dataDir }), () => undefined);
      await withClient(installation.urlAs("ems_owner"), (client) => client.query(statement));
      await installation.close();
    };
    await asOwner(
      "INSERT INTO catalog.migration (timestamp, name) VALUES (9999999999999, 'FromTheFuture9999999999999')",
    );
    await product.stop();
    await expect(start()).rejects.toThrow(
      /Cannot start: the database is of a newer version, .*: catalog: FromTheFuture9999999999999\. Start that version/,
    );
    const migrated = await promisify(execFile)(process.execPath, ["deploy/dev/migrate.ts", "status"], {
      cwd: root,
      env: { ...process.env, DATA_DIR: dataDir },
    });
    expect(migrated.stdout).toMatch(/^unknown +catalog +FromTheFuture/m);
    const stopped = await joinInstallation(deployConfig({ DATA_DIR: dataDir }), () => undefined, { migrates: false });
    await withClient(stopped.urlAs("ems_owner"), (client) =>
      client.query("DELETE FROM catalog.migration WHERE name LIKE 'FromTheFuture%'"),
    );
    await stopped.close();
    product = await start();
    expect(await requestTopics(product, apiKey)).toContainEqual(topic);
  });
});

describe("a fresh directory", () => {
  let dataDir: string;
  const start = async (env: Record<string, string>) => {
    dataDir = await temporaryDir("ems-test-start-");
    return startProduct("one", { dataDir, env });
  };
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  test("a port that is taken is reported before anything is made", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    for (const variable of ["PORT", "GRPC_PORT", "ADMIN_PORT"]) {
      await expect(start({ [variable]: String(port) })).rejects.toThrow(
        `Cannot start: port ${port} of 127.0.0.1 is in use by another program: stop it, or set ${variable} to another port`,
      );
      expect(await readdir(dataDir)).toEqual([]);
      await rm(dataDir, { recursive: true });
    }
    server.close();
  });

  test("a clock that is off, and a server with too few connections, are reported in one sentence", async () => {
    const folder = await temporaryDir("ems-test-small-server-");
    const server = await startEmbeddedPostgres({ dataDir: folder, volatile: true, maxConnections: 20 });
    const late =
      "const now = Date.now; Date.now = () => now() - 600_000; globalThis.Date = class extends Date { constructor(...of) { super(...(of.length ? of : [Date.now()])); } };";
    try {
      for (const [name, env, sentence] of [
        [
          "few",
          {},
          /^Cannot start: PostgreSQL at \S+ has too few connections: 17 for programs, and 85 may be opened\. Raise max_/m,
        ],
        [
          "many",
          { DATABASE_POOL_MAX: "1", RELAY_POOL_MAX: "2" },
          /^Cannot start: PostgreSQL at \S+ has too few connections: 17 /m,
        ],
        [
          "off",
          { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(late)}` },
          /^Cannot start: this machine's clock is 600 s behind/m,
        ],
      ] as const) {
        dataDir = await temporaryDir("ems-test-start-");
        const ended = await up({ DATA_DIR: dataDir, DATABASE_URL: new URL(`/${name}`, server.url).href, ...env });
        expect(ended.stderr).toMatch(sentence);
        expect(ended.code).toBe(1);
      }
    } finally {
      await server.stop();
      await rm(folder, { recursive: true });
    }
  });

  test.each([
    [["--help"], {}, 0, /^npm start .*\n.*--new-secrets/s],
    [["--port", "1"], {}, 2, /^Cannot start: Unknown option '--port'; see --help\n$/],
    [[], { LOG_LEVEL: "loud" }, 2, /LOG_LEVEL: .*"trace"\|"debug"/],
    [
      [],
      { DATABASE_URL: "postgres://127.0.0.1:1/ems" },
      1,
      /^Cannot start: PostgreSQL at 127.0.0.1:1 \(DATABASE_URL\) /,
    ],
    [[], { DATABASE_URL: "postgres://127.0.0.1:1/ems?sslrootcert=/none" }, 1, /\(DATABASE_URL\) .*'\/none'\n$/],
    [[], { DATA_DIR: "/proc/ems/data" }, 1, /^Cannot start: DATA_DIR \/proc\/ems\/data cannot be created: ENOENT/],
    [[], { DATA_DIR: "/etc/passwd" }, 1, /^Cannot start: DATA_DIR \/etc\/passwd cannot be created: EEXIST/],
  ])("%j with %j exits with %i and a sentence", async (args, env, code, output) => {
    dataDir = await temporaryDir("ems-test-start-");
    const ended = await up({ DATA_DIR: dataDir, ...env }, ...args);
    expect(ended.code).toBe(code);
    expect(ended.stdout + ended.stderr).toMatch(output);
    expect(ended.stderr).not.toMatch(/^ +at /m);
  });

  test("what a service would refuse is reported before anything is made, once, and so is a port that is given twice", async () => {
    const refused = [
      [{ SMTP_URL: "mail", RETENTION_DAYS_AUDIT: "1" }, /used:\n {2}RETENTION_DAYS_AUDIT: .*\n {2}SMTP_URL: /],
      [{ PORT: "4000", GRPC_PORT: "4000" }, /^Cannot start: PORT and GRPC_PORT are both 4000: set one of them/m],
    ] as const;
    for (const [env, message] of refused) {
      await expect(start(env)).rejects.toThrow(message);
      expect(await readdir(dataDir)).toEqual([]);
      await rm(dataDir, { recursive: true });
    }
  });

  test("configuration faults come all at once, by name and without values", async () => {
    const failed = start({ PORT: "high", LOG_LEVEL: "loud", DATABASE_URL: "mysql://root:hunter2@db" });
    await expect(failed).rejects.toThrow(/DATABASE_URL.*\n.*PORT/);
    await expect(failed).rejects.not.toThrow(/hunter2/);
  });
});
