// Installations on one PostgreSQL server: a second one with the same roles is refused, one with a prefix works.

import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { passwordVariable } from "@ems/deploy/config";
import { localSecrets } from "@ems/deploy/secrets";
import { startEmbeddedPostgres } from "@ems/dev/postgres";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { urlFor } from "@ems/kit/db/provision";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startProduct } from "../harness/product.ts";
import { readRows } from "../harness/standby.ts";
import { requestTopics } from "./request-topics.ts";

const root = join(import.meta.dirname, "../..");
const directory = await temporaryDir("ems-test-shared-");
const [first, second] = [join(directory, "first"), join(directory, "second")];
const server = await startEmbeddedPostgres({ dataDir: join(directory, "postgres"), volatile: true });
afterAll(async () => {
  await server.stop();
  await rm(directory, { recursive: true, force: true });
});
const getUrl = (database: string) => new URL(`/${database}`, server.url).href;

/** Runs a program of the product; returns what it printed on stderr. */
async function run(program: string, env: Record<string, string>): Promise<{ isRefused: boolean; output: string }> {
  const options = { cwd: root, env: { ...process.env, ...env } };
  return promisify(execFile)(process.execPath, [program], options).then(
    ({ stderr }) => ({ isRefused: false, output: stderr }),
    ({ stderr }: { stderr: string }) => ({ isRefused: true, output: stderr }),
  );
}

const migrate = (dataDir: string, database: string) =>
  run("deploy/dev/migrate.ts", { DATA_DIR: dataDir, DATABASE_URL: getUrl(database) });

/** Runs `prepare` with the passwords of an installation. */
async function prepare(dataDir: string, database: string) {
  const { passwords } = await localSecrets(dataDir);
  const variables = Object.entries(passwords).map(([role, password]) => [passwordVariable(role), password]);
  return run("deploy/commands/prepare.ts", { ...Object.fromEntries(variables), DATABASE_URL: getUrl(database) });
}

/** True if an installation's services can connect to its database. */
async function isLetIn(dataDir: string, database: string, rolePrefix = ""): Promise<boolean> {
  const { passwords } = await localSecrets(dataDir);
  const roles = Object.keys(passwords);
  const connections = roles.map((role) => readRows(urlFor(getUrl(database), role, passwords, rolePrefix), "SELECT"));
  const answers = await Promise.allSettled(connections);
  return answers.every(({ status }) => status === "fulfilled");
}

beforeAll(async () => {
  expect(await migrate(first, "one")).toMatchObject({ isRefused: false });
});

test("a second installation in another database is refused, and changes nothing", async () => {
  for (const work of [migrate, prepare]) {
    const { isRefused, output } = await work(second, "two");
    expect(isRefused).toBe(true);
    expect(output).toContain('this PostgreSQL server has another installation, in its database "one"');
    expect(await isLetIn(first, "one")).toBe(true);
  }
  expect(await readRows(server.url, "SELECT FROM pg_database WHERE datname = 'two'")).toEqual([]);
  expect(await migrate(first, "one")).toMatchObject({ isRefused: false });
});

test("an installation whose roles have a prefix runs next to another, and neither gets into the other's database", async () => {
  const [dataDir, prefix] = [join(directory, "staging"), "staging_"];
  const env = { DATABASE_URL: getUrl("staging"), DATABASE_ROLE_PREFIX: prefix };
  const product = await startProduct("one", { dataDir, env });
  const { apiKey } = product.facts;
  const topic = await requestTopics(product, apiKey, { title: "staged" });
  expect(await requestTopics(product, apiKey)).toEqual([topic]);
  await product.stop();
  expect(await isLetIn(dataDir, "staging", prefix)).toBe(true);
  expect(await isLetIn(first, "one")).toBe(true);
  const { passwords } = await localSecrets(dataDir);
  for (const role of Object.keys(passwords))
    await expect(readRows(urlFor(getUrl("one"), role, passwords, prefix), "SELECT")).rejects.toThrow(
      /permission denied/,
    );
  const rights = `SELECT rolname FROM pg_shdepend JOIN pg_roles ON pg_roles.oid = refobjid
    WHERE refclassid = 'pg_authid'::regclass AND dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND rolname LIKE 'ems%'`;
  expect(await readRows(getUrl("staging"), rights)).toEqual([]);
  expect(await run("deploy/dev/migrate.ts", { DATA_DIR: dataDir, ...env })).toMatchObject({ isRefused: false });
});

test("an installation that does not have a database's passwords is refused there, with instructions to take it over", {
  retry: 0,
}, async () => {
  const { isRefused, output } = await migrate(second, "one");
  expect(isRefused).toBe(true);
  expect(output).toContain('the database "one" belongs to another installation');
  expect(await isLetIn(first, "one")).toBe(true);

  const { passwords } = await localSecrets(second);
  await readRows(server.url, `ALTER ROLE ems_owner PASSWORD '${passwords.ems_owner}'`);
  expect(await migrate(second, "one")).toMatchObject({ isRefused: false });
  expect(await isLetIn(second, "one")).toBe(true);
});

test("prepare gives the roles of its own database new passwords", async () => {
  expect(await prepare(first, "one")).toMatchObject({ isRefused: false });
  expect(await isLetIn(first, "one")).toBe(true);
});

test("roles of a removed installation, whose database is gone, do no harm", { retry: 0 }, async () => {
  await readRows(server.url, "DROP DATABASE one");
  expect(await migrate(second, "two")).toMatchObject({ isRefused: false });
  expect(await isLetIn(second, "two")).toBe(true);
});
