import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Client } from "pg";
import { test as base, beforeAll, expect } from "vitest";
import { readStartTime } from "../process-info.ts";
import { temporaryDir } from "../temporary-dir.ts";
import { locateBinaries } from "./binaries.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded-postgres.ts";

interface Here {
  dataDir: string;
  start: () => Promise<EmbeddedPostgres>;
}

const fresh = base.extend<Here>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixtures needed from the pattern.
  dataDir: async ({}, use) => {
    const dataDir = await temporaryDir("ems-embedded-");
    await use(dataDir);
    // Retry, because initdb may still write files after its parent was killed.
    await rm(dataDir, { recursive: true, maxRetries: 5 });
  },
  start: async ({ dataDir }, use) => {
    const started: EmbeddedPostgres[] = [];
    await use(async () => {
      const postgres = await startEmbeddedPostgres({ dataDir, volatile: true });
      started.push(postgres);
      return postgres;
    });
    await Promise.all(started.map((postgres) => postgres.stop()));
  },
});

// Template to copy for tests that need an existing cluster: copying takes a tenth of the time of creating one.
let template: string;
const test = fresh.extend<Pick<Here, "dataDir">>({
  dataDir: async ({ dataDir }, use) => {
    await cp(template, dataDir, { recursive: true });
    await use(dataDir);
  },
});

beforeAll(async () => {
  template = await temporaryDir("ems-embedded-template-");
  await (await startEmbeddedPostgres({ dataDir: template, volatile: true })).stop();
  return () => rm(template, { recursive: true });
});

fresh("starts from nothing, in UTF-8 and UTC, with checksums, and answers", async ({ start }) => {
  const { url } = await start();
  const settings = ["server_encoding", "TimeZone", "data_checksums", "listen_addresses", "unix_socket_directories"];
  const rows = await query(url, "select current_setting(name) as value from unnest($1::text[]) as name", [settings]);
  expect(rows.map((row) => row.value)).toEqual(["UTF8", "UTC", "on", "127.0.0.1", ""]);
});

fresh("only the password opens it, and only its owner reads the password", async ({ start, dataDir }) => {
  const { url } = await start();
  const other = new URL(url);
  other.password = "guessed";
  await expect(query(other.href, "select 1")).rejects.toThrow("password authentication failed");
  const { mode } = await stat(join(dataDir, "superuser-password"));
  expect(mode & 0o777).toBe(0o600);
});

test("data survives a stop and a start", async ({ start }) => {
  const first = await start();
  await query(first.url, "create table kept as select 42 as answer");
  await first.stop();
  const second = await start();
  expect(await query(second.url, "select answer from kept")).toEqual([{ answer: 42 }]);
});

test("stop closes open connections, leaves no process and no owner, and is idempotent", async ({ start, dataDir }) => {
  const postgres = await start();
  const client = new Client({ connectionString: postgres.url });
  const ended = new Promise((resolve) => client.on("error", resolve));
  await client.connect();
  await Promise.all([postgres.stop(), postgres.stop()]);
  await postgres.stop();
  expect(await ended).toBeInstanceOf(Error);
  expect(await readStartTime(postgres.pid)).toBeNull();
  expect(existsSync(join(dataDir, "owner.json"))).toBe(false);
  const lastLog = expect.stringMatching(/database system is shut down$/);
  expect(await postgres.exited).toEqual({ code: 0, signal: null, lastLog });
});

test("a second run on the same folder fails and names the first process, which continues", async ({
  start,
  dataDir,
}) => {
  const { url } = await start();
  const refusal = `Another run (process ${process.pid}) is using DATA_DIR ${dataDir}; stop it, or choose another DATA_DIR.`;
  await expect(start()).rejects.toThrow(refusal);
  const other = owner(dataDir);
  expect(await text(other.stderr)).toContain(refusal);
  expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("after SIGKILL of the owner, the next start stops the leftover server and keeps its data", async ({
  start,
  dataDir,
}) => {
  const killed = owner(dataDir);
  const [line] = await once(killed.stdout.setEncoding("utf8"), "data");
  const left: { pid: number; url: string } = JSON.parse(line);
  await query(left.url, "create table kept as select 42 as answer");
  killed.kill("SIGKILL");
  await once(killed, "exit");
  expect(await readStartTime(left.pid)).not.toBeNull();

  const { url } = await start();
  expect(await readStartTime(left.pid)).toBeNull();
  expect(await query(url, "select answer from kept")).toEqual([{ answer: 42 }]);
});

test("a server stops when its process exits without stopping it", async ({ dataDir }) => {
  const exiting = owner(dataDir);
  const [line] = await once(exiting.stdout.setEncoding("utf8"), "data");
  const { pid }: { pid: number } = JSON.parse(line);
  exiting.stdin.end("exit");
  await once(exiting, "exit");
  await expect.poll(() => readStartTime(pid)).toBeNull();
});

fresh("a cluster whose making was interrupted is made again", async ({ start, dataDir }) => {
  const [, signal] = await once(owner(dataDir, endingWithinInitdb), "exit");
  expect(signal).toBe("SIGKILL");
  expect(existsSync(join(dataDir, "pg"))).toBe(false);

  const { url } = await start();
  expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }]);
});

test.for([
  ["garbage", "not a pid\n"],
  ["nothing", ""],
  ["a living process other than PostgreSQL", `${process.pid}\n`],
])("a pid file with %s does not prevent a start", async ([, content], { start, dataDir }) => {
  await writeFile(join(dataDir, "pg", "postmaster.pid"), content ?? "");
  const { url } = await start();
  expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("a failed start reports the reason", async ({ start, dataDir }) => {
  await writeFile(join(dataDir, "pg", "postgresql.conf"), "work_mem = nonsense\n");
  await expect(start()).rejects.toThrow(/ended while starting.*invalid value for parameter "work_mem"/s);
  expect(existsSync(join(dataDir, "owner.json"))).toBe(false);
});

test("a slow start is awaited, with progress messages", async ({ dataDir }) => {
  const packageDir = await temporaryDir("ems-slow-postgres-");
  const released = join(packageDir, "released");
  const { postgres: real, major } = await locateBinaries();
  await mkdir(join(packageDir, "native/bin"), { recursive: true });
  await writeFile(join(packageDir, "package.json"), JSON.stringify({ version: `${major}.0.0` }));
  await writeFile(join(packageDir, "native/pg-symlinks.json"), "[]");
  // Shell code that delays the server until the file `released` exists, at most 30 s.
  const wait = `for i in $(seq 300); do test -e '${released}' && break; sleep 0.1; done`;
  const script = `#!/bin/sh\nif test "$1" = -D; then ${wait}; fi\nexec '${real}' "$@"\n`;
  await writeFile(join(packageDir, "native/bin/postgres"), script, { mode: 0o755 });
  const progress: string[] = [];
  const onProgress = (sentence: string) => {
    progress.push(sentence);
    void writeFile(released, "");
  };
  const { url, stop } = await startEmbeddedPostgres({ dataDir, packageDir, volatile: true, onProgress });
  try {
    expect(progress[0]).toMatch(/^Waiting for PostgreSQL to start\. /);
    expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }]);
  } finally {
    await stop();
    await rm(packageDir, { recursive: true });
  }
});

test("a start truncates the log if it exceeds its limit", async ({ start, dataDir }) => {
  const log = join(dataDir, "postgres.log");
  await writeFile(log, "x".repeat(11 * 1024 ** 2));
  await start();
  expect(await readFile(log, "utf8")).toMatch(/^\d{4}-.* LOG: {2}starting PostgreSQL/);
});

async function query(url: string, sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** Script that kills its own process while initdb runs, because another process might react too late. */
const endingWithinInitdb = `
    import { globSync } from "node:fs";
    const look = () => globSync("pg.*/*", { cwd: dataDir }).length > 0 && process.kill(process.pid, "SIGKILL");
    setInterval(look, 1);`;

/** Starts PostgreSQL in another process, which prints one line and exits when its stdin closes. */
function owner(dataDir: string, first = "") {
  const module = new URL("./embedded-postgres.ts", import.meta.url).href;
  const script = `
    import { startEmbeddedPostgres } from ${JSON.stringify(module)};
    const dataDir = ${JSON.stringify(dataDir)};
    ${first}
    const { pid, url } = await startEmbeddedPostgres({ dataDir, volatile: true });
    console.log(JSON.stringify({ pid, url }));
    process.stdin.once("data", () => process.exit());`;
  return spawn(process.execPath, ["--input-type=module", "--eval", script]);
}
