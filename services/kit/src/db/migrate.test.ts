import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { testDatabase } from "@ems/test-support";
import type { MigrationInterface, QueryRunner } from "typeorm";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { connectionWaitMs } from "./data-source.ts";
import { dryRunMigrations, migrate, migrationStatus } from "./migrate.ts";
import { ownerRole, type Schema } from "./schema.ts";

class Tables1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query("CREATE TABLE library.book (id uuid PRIMARY KEY)");
    await runner.query("GRANT SELECT ON library.migration TO ems_catalog");
  }
  async down(): Promise<void> {}
}

class Titles1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE library.book ADD COLUMN title text");
  }
  async down(): Promise<void> {}
}

class Wrong1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE library.shelf ADD COLUMN title text");
  }
  async down(): Promise<void> {}
}

/** Takes longer than a pool keeps an idle connection. */
class Long1700000000002 implements MigrationInterface {
  static locks: number[] = [];

  async up(runner: QueryRunner): Promise<void> {
    vi.advanceTimersByTime(60_000);
    const locks = `SELECT count(*)::int AS count FROM pg_locks JOIN pg_database ON pg_database.oid = database
      WHERE datname = current_database() AND locktype = 'advisory' AND granted`;
    // PostgreSQL removes a session only a few round trips after it ended.
    for (let i = 0; i < 200; i++) Long1700000000002.locks.push((await runner.query(locks))[0].count);
  }
  async down(): Promise<void> {}
}

const library = (...migrations: Schema["migrations"]): Schema[] => [{ name: "library", entities: [], migrations }];
const whole = library(Tables1700000000000, Titles1700000000001);
const server = await testDatabase(inject("postgres"));
const { ownerUrl } = server;
const tables = () => server.sql("SELECT tablename FROM pg_tables WHERE schemaname = 'library'");
const states = async (schemas: Schema[]) => (await migrationStatus(ownerUrl, schemas)).map(({ state }) => state);

beforeAll(() => server.sql(`CREATE SCHEMA library AUTHORIZATION ${ownerRole}; CREATE ROLE ems_library`));
afterAll(async () => {
  await server.sql("DROP ROLE ems_library");
  await server.drop();
});

test("pending migrations are listed, tried without effects, and run once even if several processes start together", async () => {
  expect(await migrationStatus(ownerUrl, whole)).toEqual([
    { schema: "library", name: "Tables1700000000000", state: "pending" },
    { schema: "library", name: "Titles1700000000001", state: "pending" },
  ]);
  expect(await dryRunMigrations(ownerUrl, whole)).toEqual([
    "library: Tables1700000000000",
    "library: Titles1700000000001",
  ]);
  expect(await tables()).toEqual([]);

  const ran = await Promise.all([1, 2, 3].map(() => migrate(ownerUrl, whole)));
  expect(ran.flat()).toEqual(["library: Tables1700000000000", "library: Titles1700000000001"]);
  expect(await states(whole)).toEqual(["done", "done"]);
  expect(await dryRunMigrations(ownerUrl, whole)).toEqual([]);
  // An older program detects that the database is newer.
  expect(await states(library(Tables1700000000000))).toEqual(["done", "unknown"]);
});

test("missing roles are reported before anything is changed", async () => {
  const schemas = [...whole, { name: "museum", entities: [], migrations: [Wrong1700000000002] }];
  await expect(migrate(ownerUrl, schemas)).rejects.toThrow("lacks roles of the product: ems_museum. Run prepare");
  expect(await states(whole)).toEqual(["done", "done"]);
});

test("missing schemas are reported before anything is changed", async () => {
  await server.sql("CREATE ROLE ems_museum");
  try {
    const schemas = [...whole, { name: "museum", entities: [], migrations: [Wrong1700000000002] }];
    await expect(migrate(ownerUrl, schemas)).rejects.toThrow("lacks schemas of the product: museum. Run prepare");
    expect(await states(whole)).toEqual(["done", "done"]);
  } finally {
    await server.sql("DROP ROLE ems_museum");
  }
});

test("a dry run fails as the migration would", async () => {
  await expect(dryRunMigrations(ownerUrl, library(Wrong1700000000002))).rejects.toThrow("library.shelf");
  expect(await states(whole)).toEqual(["done", "done"]);
});

test("a failed migration is reported on stderr, and nothing is written to stdout", async () => {
  const [logged, out] = [vi.spyOn(console, "log"), vi.spyOn(process.stdout, "write")];
  const err = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    await expect(migrate(ownerUrl, library(Wrong1700000000002))).rejects.toThrow("library.shelf");
    expect([logged.mock.calls, out.mock.calls]).toEqual([[], []]);
    expect(err.mock.calls.join()).toContain('Migration "Wrong1700000000002" failed');
  } finally {
    vi.restoreAllMocks();
  }
});

test("a migration waits longer for a connection than a request", { timeout: 30_000 }, async () => {
  const { hostname, port } = new URL(ownerUrl);
  const sockets = new Set<Socket>();
  const proxy = createServer((socket) => {
    const upstream = connect(Number(port), hostname);
    for (const each of [socket, upstream]) sockets.add(each.on("error", () => undefined));
    upstream.pipe(socket);
    socket.once("data", (startup) => {
      const start = () => {
        upstream.write(startup);
        socket.pipe(upstream);
      };
      // Delays the connection that runs migrations by more than a service would wait.
      setTimeout(start, startup.includes("ems-library") ? connectionWaitMs + 500 : 0);
    });
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  try {
    const url = new URL(ownerUrl);
    url.port = String((proxy.address() as AddressInfo).port);
    expect(await migrate(url.href, whole)).toEqual([]);
  } finally {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  }
});

test("the lock is held while a migration runs", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const schemas = library(Tables1700000000000, Titles1700000000001, Long1700000000002);
    expect(await migrate(ownerUrl, schemas)).toEqual(["library: Long1700000000002"]);
  } finally {
    vi.useRealTimers();
  }
  expect(new Set(Long1700000000002.locks)).toEqual(new Set([1]));
});
