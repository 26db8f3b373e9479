// What goes wrong while rows are carried: nobody reads a part of a batch, nor anything twice, and the next round makes it good.

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import {
  archiveDdl,
  archivedColumnsOf,
  type Extent,
  extentStatement,
  isArchiveUnavailable,
  Stores,
  sourceOf,
} from "@ems/kit/archive";
import type { Call } from "@ems/kit/rpc/call";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { addTests, archiveHarness } from "../../test/archive.ts";
import { TestEntity } from "../tests/index.ts";
import { dropDue } from "./drop.ts";
import { experimentsArchive } from "./index.ts";
import { archiveOperator } from "./operator.ts";
import { restoreBatch } from "./restore.ts";

const harness = await archiveHarness();
const { sql, clock, archive, carrier, batches, newCall, database, server, config, clickhouse, superuserUrl } = harness;
const dayMs = 86_400_000;
const day = new Date(Math.floor(clock.now().getTime() / dayMs) * dayMs - 20 * dayMs);

/** ClickHouse through a proxy: what it sends in place of an INSERT's rows, each time one comes. */
async function proxied(insert: (rows: string) => Promise<string[]> | string[]): Promise<string> {
  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    const isInsert = request.url?.includes("INSERT+INTO") === true || request.url?.includes("INSERT%20INTO") === true;
    const bodies = isInsert ? await insert(body.toString()) : [body];
    let answer = new Response();
    for (const each of bodies) {
      const headers = { "content-type": request.headers["content-type"] ?? "text/plain" };
      answer = await fetch(new URL(request.url ?? "/", config.CLICKHOUSE_URL), { method: "POST", body: each, headers });
    }
    response.writeHead(answer.status, { "x-clickhouse-format": "TabSeparated" }).end(await answer.text());
  };
  const proxy = createServer((request, response) => {
    forward(request, response).catch(() => response.destroy());
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

async function newTests(): Promise<ReturnType<typeof newCall>> {
  const call = newCall();
  await addTests(sql, call.tenant.applicationId, day, 10);
  return call;
}

/** What a reader gets of the application's tests. */
async function read(call: ReturnType<typeof newCall>): Promise<{ rows: string; ids: string; durations: string }[]> {
  const { applicationId } = call.tenant;
  const statement = extentStatement("experiments.archive_extent", applicationId, "results");
  const [extent] = await database.readScoped<Extent>({ applicationId }, Date.now() + 10_000, statement);
  const { archived: intervals, hidden } = extent ?? { archived: [], hidden: [] };
  const text = "SELECT count() AS rows, uniqExact(id) AS ids, sum(ifNull(duration_ms, 0)) AS durations FROM test";
  return archive.query(call, { text, parameters: {}, extents: { test: { intervals, hidden } } });
}

const none = [{ rows: "0", ids: "0", durations: "0" }];
const all = [{ rows: "10", ids: "10", durations: "45" }];
const states = async ({ tenant }: ReturnType<typeof newCall>) =>
  (await batches(tenant.applicationId)).map(({ state }) => state);

test.each([
  ["a truncated batch", (rows: string) => [rows.slice(0, rows.lastIndexOf("\n", rows.length - 2) + 1)]],
  ["a repeated batch", (rows: string) => [rows, rows]],
  ["a batch that is lost", () => []],
  ["a changed batch", (rows: string) => [rows.replace("\tCOMPLETED\t", "\tFAILED\t")]],
])("%s is withdrawn, and carried anew", async (_, insert) => {
  const call = await newTests();
  await expect(carrier({ CLICKHOUSE_URL: await proxied(insert) }).run()).rejects.toThrow("than PostgreSQL");
  expect(await states(call)).toEqual(["withdrawn"]);
  expect(await read(call)).toEqual(none);
  await carrier().run();
  expect(await states(call)).toEqual(["withdrawn", "published"]);
  expect(await read(call)).toEqual(all);
});

test("a batch that is withdrawn while it is copied is not published", async () => {
  const call = await newTests();
  const { applicationId } = call.tenant;
  const url = await proxied(async (rows) => {
    // As a change of one of its rows does.
    await sql("UPDATE experiments.archive_batch SET state = 'withdrawn' WHERE application_id = $1", [applicationId]);
    return [rows];
  });
  await carrier({ CLICKHOUSE_URL: url }).run();
  expect([...new Set(await states(call))]).toEqual(["withdrawn"]);
  expect(await read(call)).toEqual(none);
  await carrier().run();
  expect(await read(call)).toEqual(all);
});

test("a batch waits for transactions that were there before it, and has what they changed", async () => {
  const call = await newTests();
  const { applicationId } = call.tenant;
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  onTestFinished(() => client.end());
  // Its trigger has looked for batches by then.
  await client.query("BEGIN; SET CONSTRAINTS ALL IMMEDIATE");
  await client.query("UPDATE experiments.test SET duration_ms = duration_ms + 1 WHERE application_id = $1", [
    applicationId,
  ]);
  const running = carrier().run();
  await expect.poll(() => states(call)).toEqual(["open"]);
  await client.query("COMMIT");
  await running;
  expect(await states(call)).toEqual(["published"]);
  expect(await read(call)).toEqual([{ rows: "10", ids: "10", durations: "55" }]);
});

test("without ClickHouse nothing is carried, and everything once it is back", async () => {
  if (!clickhouse.isOurs) return;
  const call = await newTests();
  await clickhouse.kill();
  await expect(carrier().run()).rejects.toThrow();
  expect(await states(call)).toEqual(["withdrawn"]);
  await clickhouse.start();
  await carrier().run();
  expect(await read(call)).toEqual(all);
});

test("ClickHouse killed in the middle of a batch leaves nothing that is read", async () => {
  if (!clickhouse.isOurs) return;
  const call = await newTests();
  let inserts = 0;
  const url = await proxied(async (rows) => {
    inserts += 1;
    if (inserts === 2) await clickhouse.kill();
    return [rows];
  });
  await expect(carrier({ CLICKHOUSE_URL: url }).run()).rejects.toThrow();
  await clickhouse.start();
  expect(await states(call)).toEqual(["withdrawn"]);
  expect(await read(call)).toEqual(none);
  await carrier().run();
  expect(await read(call)).toEqual(all);
});

test("an error about rows that ClickHouse cannot read repeats none of them", async () => {
  const call = await newTests();
  const url = await proxied((rows) => [rows.replaceAll("\t", " confidential ")]);
  const error: unknown = await carrier({ CLICKHOUSE_URL: url })
    .run()
    .catch((reason: unknown) => reason);
  expect(String(error)).toMatch(/^Error: ClickHouse failed: [A-Z_]+ \(\d+\)$/);
  expect(error).not.toHaveProperty("cause");
  expect(await read(call)).toEqual(none);
  await carrier().run();
});

/** ClickHouse's tables as the version before a column made them; answers what `ems migrate` does. */
async function olderTables(): Promise<() => Promise<void>> {
  await server.command({ query: `ALTER TABLE ${config.CLICKHOUSE_DATABASE}.test DROP COLUMN trace_steps` });
  const statements = archiveDdl(
    experimentsArchive.flatMap(({ tables }) => tables),
    config,
  );
  return async () => {
    for (const query of statements) await server.command({ query });
  };
}

test("a server whose tables are one version older refuses rows until its columns are added, and PostgreSQL's are read", async () => {
  const call = await newTests();
  const { applicationId } = call.tenant;
  const migrate = await olderTables();
  await expect(carrier().run()).rejects.toThrow(/^ClickHouse failed: [A-Z_]+ \(\d+\)$/);
  expect(await states(call)).toEqual(["withdrawn"]);
  expect(await read(call)).toEqual(none);
  const text =
    "SELECT count(*)::int AS rows, sum(trace_steps)::int AS steps FROM experiments.test WHERE application_id = $1";
  const stores = new Stores(database, archive, "experiments.archive_extent");
  const { found, dropped } = await stores.read(
    call as unknown as Call,
    ["results"],
    [{ text, values: [applicationId] }],
  );
  expect([found[0], dropped.results.intervals]).toEqual([[{ rows: 10, steps: null }], []]);
  await migrate();
  await carrier().run();
  expect(await states(call)).toEqual(["withdrawn", "published"]);
  expect(await read(call)).toEqual(all);
});

test("what a version carried and dropped that did not have a column yet is compared and comes back", async () => {
  const call = await newTests();
  const { applicationId } = call.tenant;
  const rows = () =>
    sql("SELECT t::text FROM experiments.test t WHERE application_id = $1 ORDER BY id", [applicationId]);
  const before = await rows();
  const env = { ...clickhouse.env, DATABASE_URL: config.DATABASE_URL, RELAY_DATABASE_URL: harness.relayUrl };
  const operator = await archiveOperator({ ...env, ARCHIVE_DROP_AFTER_DAYS: "1" }, harness.log);
  onTestFinished(() => operator.close());
  const { signal } = new AbortController();
  await operator.run(signal, () => undefined);
  expect([await rows(), await states(call)]).toEqual([[], ["dropped"]]);
  const migrate = await olderTables();
  await sql(
    "UPDATE experiments.archive_batch SET checks = checks #- '{test,trace_steps_sum}' WHERE application_id = $1",
    [applicationId],
  );
  const stores = new Stores(database, archive, "experiments.archive_extent");
  const { dropped } = await stores.read(call as unknown as Call, ["results"], []);
  const text = `SELECT ${archivedColumnsOf(TestEntity, "t")} FROM test t`;
  const archived = () => stores.readDroppedRows(call as unknown as Call, TestEntity, dropped.results, text, {});
  await expect(archived()).rejects.toSatisfy(isArchiveUnavailable);
  await migrate();
  expect(await archived()).toHaveLength(10);
  expect((await operator.verify(signal)).differences.filter((one) => one.applicationId === applicationId)).toEqual([]);
  await operator.restore({ application: applicationId }, signal, () => undefined);
  expect([await rows(), await states(call)]).toEqual([before, ["restored"]]);
});

test("a reader gets rows once, whatever was restored and carried again since its snapshot", async () => {
  const call = await newTests();
  const { applicationId } = call.tenant;
  const source = sourceOf(config);
  if (source === undefined) throw new Error("the archive is configured");
  onTestFinished(() => source.client.close());
  const move = async () => {
    await carrier().run();
    await dropDue({ ...harness, source }, 1, new AbortController().signal);
  };
  await move();
  const stores = new Stores(database, archive, "experiments.archive_extent");
  const { dropped } = await stores.read(call as unknown as Call, ["results"], []);
  const [batch] = await batches(applicationId);
  await restoreBatch({ database, source }, call.tenant, "results", Number(batch?.number));
  await sql("UPDATE experiments.archive_batch SET state = 'withdrawn' WHERE application_id = $1", [applicationId]);
  await move();
  expect(await states(call)).toEqual(["withdrawn", "dropped"]);
  const text = "SELECT count() AS rows FROM test";
  expect(await stores.readDropped(call as unknown as Call, { test: dropped.results }, text, {})).toEqual([
    { rows: "10" },
  ]);
  expect(await stores.queryDropped(call as unknown as Call, "results", text, {})).toEqual([{ rows: "10" }]);
});
