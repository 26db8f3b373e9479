import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { monotonicMs } from "@ems/kit/clock";
import { readConfig } from "@ems/kit/config";
import { table, text, timestamp, uuid } from "@ems/kit/db/table";
import { newId } from "@ems/kit/id";
import { errorFacts } from "@ems/kit/log";
import { testClickhouse, testTenant } from "@ems/test-support";
import { beforeAll, expect, test } from "vitest";
import { createArchive, isArchiveUnavailable } from "./archive.ts";
import { archiveClient, ofApplication } from "./client.ts";
import { archiveConfig } from "./config.ts";
import { archiveDdl, archivePolicies } from "./ddl.ts";
import type { ArchivedRanges } from "./types.ts";

const clickhouse = await testClickhouse();
const config = readConfig(archiveConfig, clickhouse.env);
const archive = createArchive(config);
const newCall = () => ({
  tenant: testTenant(),
  deadlineMs: monotonicMs() + 60_000,
  signal: new AbortController().signal,
});
const call = newCall();
const other = newCall();
const day = Date.parse("2026-03-01");

const entity = table("experiments.evaluation", { applicationId: uuid, createdAt: timestamp, id: uuid, message: text });
const server = archiveClient(config);

/** Inserts rows, one per second: three of this application's batches (1 twice, 2, 3), one of another application. */
beforeAll(async () => {
  const evaluation = { entity, order: ["id"], lookups: ["id"] };
  const tests = table("experiments.test", { applicationId: uuid, createdAt: timestamp, id: uuid });
  for (const query of archiveDdl([evaluation, { entity: tests, order: ["id"], lookups: [] }], config)) {
    await server?.command({ query });
  }
  const row = (applicationId: string, second: number, batch: number) => ({
    application_id: applicationId,
    created_at: new Date(day + second * 1_000).toISOString().replace("Z", ""),
    id: `0197a000-0000-7000-8000-${String(second).padStart(12, "0")}`,
    message: `second ${second}`,
    batch,
  });
  const mine = call.tenant.applicationId;
  const values = [
    row(mine, 0, 1),
    row(mine, 1, 1),
    row(mine, 2, 2),
    row(mine, 3, 3),
    row(other.tenant.applicationId, 1, 1),
  ];
  await server?.insert({ table: `${config.CLICKHOUSE_DATABASE}.evaluation`, values, format: "JSONEachRow" });
});

const all: ArchivedRanges = { intervals: [{ from: day, to: day + 60_000 }], hidden: [] };

async function seconds(
  textOfStatement: string,
  archivedRanges: ArchivedRanges | undefined = all,
  of = call,
): Promise<string[]> {
  const ranges = archivedRanges === undefined ? {} : { evaluation: archivedRanges };
  const rows = await archive?.query<{ message: string }>(of, { text: textOfStatement, parameters: {}, ranges });
  return (rows ?? []).map(({ message }) => message.replace("second ", ""));
}

const select = "SELECT message FROM evaluation ORDER BY created_at";

test("a statement reads the rows of its application, intervals and visible batches", async () => {
  expect(await seconds(select)).toEqual(["0", "1", "2", "3"]);
  expect(await seconds(select, all, other)).toEqual(["1"]);
  expect(await seconds(select, { ...all, hidden: [1, 3] })).toEqual(["2"]);
  expect(await seconds(select, { ...all, hidden: [1], upTo: 2 })).toEqual(["2"]);
  const intervals = [
    { from: day, to: day + 1_000 },
    { from: day + 2_000, to: day + 3_000 },
  ];
  expect(await seconds(select, { intervals, hidden: [] })).toEqual(["0", "2"]);
  expect(await seconds(select, { intervals: [], hidden: [] })).toEqual([]);
});

test("a table without an archived range has no rows", async () => {
  const ranges = { test: all };
  expect(await archive?.query(call, { text: select, parameters: {}, ranges })).toEqual([]);
});

test.each([
  ["a subquery", "SELECT message FROM (SELECT * FROM evaluation) ORDER BY message"],
  ["a qualified name", `SELECT message FROM ${config.CLICKHOUSE_DATABASE}.evaluation ORDER BY message`],
  ["a common table expression", "WITH e AS (SELECT message FROM evaluation) SELECT * FROM e ORDER BY message"],
  ["a join", "SELECT a.message AS message FROM evaluation a JOIN evaluation b ON a.id = b.id ORDER BY message"],
  [
    "a union",
    "SELECT message FROM evaluation WHERE 0 UNION ALL SELECT message FROM evaluation WHERE batch != 1 ORDER BY message",
  ],
  ["a condition of its own", "SELECT message FROM evaluation WHERE created_at > 0 OR 1 ORDER BY message"],
])("%s reads no rows of other applications", async (_, query) => {
  const rows = await seconds(query, { ...all, hidden: [1] });
  expect(rows).toEqual(["2", "3"]);
});

test("a view reads no rows of other applications", async () => {
  const view = `${config.CLICKHOUSE_DATABASE}.everything`;
  await server?.command({ query: `CREATE VIEW ${view} AS SELECT * FROM ${config.CLICKHOUSE_DATABASE}.evaluation` });
  expect(await seconds("SELECT message FROM everything ORDER BY message", { ...all, hidden: [1] })).toEqual(["2", "3"]);
});

test.each([
  ["settings of its own", "SELECT message FROM evaluation SETTINGS additional_table_filters = {}"],
  ["settings of a subquery", "SELECT message FROM (SELECT * FROM evaluation SETTINGS additional_table_filters = {})"],
  ["a table named as text", `SELECT message FROM merge('${config.CLICKHOUSE_DATABASE}', '^evaluation$')`],
  ["another server", `SELECT message FROM remote('127.0.0.1', ${config.CLICKHOUSE_DATABASE}.evaluation)`],
  ["a file of the server", "SELECT line AS message FROM file('/etc/passwd', 'LineAsString')"],
  ["an address", "SELECT a.message FROM evaluation a JOIN url('http://127.0.0.1:1', 'LineAsString') b ON 1"],
  ["a view of its own", "SELECT * FROM viewIfPermitted(SELECT message FROM evaluation ELSE null('message String'))"],
  ["a comment in between", "SELECT message FROM merge/**/('x', '^evaluation$')"],
])("a statement with %s is refused", async (_, query) => {
  await expect(seconds(query)).rejects.toThrow("may not go past its filters");
});

test.each([
  ["an aggregate of all rows", "SELECT toString(count()) AS message FROM evaluation", "2"],
  [
    "the ends of a column",
    "SELECT concat(toString(min(batch)), '-', toString(max(batch))) AS message FROM evaluation",
    "2-3",
  ],
  [
    "a condition before others",
    "SELECT toString(uniqExact(application_id)) AS message FROM evaluation PREWHERE batch > 0",
    "1",
  ],
  ["a set", "SELECT toString(1 IN (SELECT batch FROM evaluation)) AS message", "0"],
])("%s covers only the statement's application", async (_, query, expected) => {
  await seconds(query, all, other);
  const rows = await seconds(query, { ...all, hidden: [1] });
  expect(rows).toEqual([expected]);
});

test("a ClickHouse error contains its kind, but no statement and no values", async () => {
  const text = "SELECT message FROM evaluation WHERE id = toUUID({word:String})";
  const failed = archive?.query(call, { text, parameters: { word: "confidential" }, ranges: { evaluation: all } });
  const error = await failed?.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ rawMessage: "The archive is unavailable" });
  const logged = JSON.stringify(errorFacts(error));
  expect(logged).toContain("CANNOT_PARSE_UUID");
  expect(logged).not.toMatch(/confidential|SELECT/);
});

test("a statement changes nothing", async () => {
  await expect(seconds("TRUNCATE TABLE evaluation")).rejects.toThrow("archive is unavailable");
  expect(await seconds(select)).toHaveLength(4);
});

test("short and long values are parameters and are returned unchanged", async () => {
  const value = "'; DROP TABLE evaluation; -- \\ \t \n 🙂";
  const many = Array.from({ length: 2_000 }, (_, index) => `${value}${index}`);
  for (const values of [[value], many]) {
    const rows = await archive?.query(call, {
      text: "SELECT arrayJoin({values:Array(String)}) AS value, toInt64(1) AS wide, toDecimal64(1.5, 1) AS decimal",
      parameters: { values },
      ranges: {},
    });
    expect(rows).toEqual(values.map((each) => ({ value: each, wide: "1", decimal: "1.5" })));
  }
});

test("a server that ignores the filters is not read", async () => {
  // Simulates a proxy that removes settings.
  const proxy = createServer((_, response) => response.end('{"rows":"1"}\n')).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const { port } = proxy.address() as AddressInfo;
  const deaf = createArchive({ ...config, CLICKHOUSE_URL: `http://127.0.0.1:${port}` });
  const answer = deaf?.query(call, { text: select, parameters: {}, ranges: { evaluation: all } });
  await expect(answer).rejects.toSatisfy(isArchiveUnavailable);
  await deaf?.close();
  proxy.close();
});

test("repeated DDL changes nothing except adding columns of newer entities", async () => {
  const newer = table("experiments.evaluation", {
    applicationId: uuid,
    createdAt: timestamp,
    id: uuid,
    message: text,
    model: text,
  });
  for (let repeated = 0; repeated < 2; repeated += 1) {
    for (const query of archiveDdl([{ entity: newer, order: ["id"], lookups: ["id"] }], config)) {
      await server?.command({ query });
    }
  }
  const rows = await archive?.query(call, {
    text: "SELECT DISTINCT model FROM evaluation",
    parameters: {},
    ranges: { evaluation: all },
  });
  expect(rows).toEqual([{ model: "" }]);
});

test("a statement names its application, as row policies require", async () => {
  const rows = (of: typeof call) =>
    archive?.query<{ id: string; rows: string }>(of, {
      text: "SELECT count() AS rows FROM evaluation WHERE application_id = toUUID(getSetting('log_comment'))",
      parameters: {},
      ranges: { evaluation: all },
    });
  expect(await rows(call)).toEqual([{ rows: "4" }]);
  expect(await rows(other)).toEqual([{ rows: "1" }]);
});

test("ClickHouse can parse the statements for clusters and row policies", async () => {
  const cluster = { ...config, CLICKHOUSE_CLUSTER: "main" };
  const statements = [
    ...archiveDdl([{ entity, order: ["id"], lookups: ["id"] }], cluster),
    ...archivePolicies(cluster),
  ];
  for (const query of statements) {
    const answer = server?.query({ query: "SELECT formatQuery({query:String})", query_params: { query } });
    await expect(answer).resolves.toBeDefined();
  }
});

// The ClickHouse engine that tests start has no row policies.
test.skipIf(clickhouse.isOurs)("row policies show a client without the filters one application's rows", async () => {
  for (const query of archivePolicies(config)) await server?.command({ query });
  const query = `SELECT count() AS rows FROM ${config.CLICKHOUSE_DATABASE}.evaluation`;
  const rows = async (applicationId: string) => {
    const answer = await server?.query({ query, clickhouse_settings: ofApplication(applicationId) });
    return (await answer?.json<{ rows: string }>())?.data;
  };
  expect(await rows(call.tenant.applicationId)).toEqual([{ rows: "4" }]);
  expect(await rows(newId())).toEqual([{ rows: "0" }]);
  await expect(server?.query({ query })).rejects.toThrow("UUID");
});

test("a call's deadline ends a statement; after it none is sent", async () => {
  const late = { ...call, deadlineMs: monotonicMs() - 1 };
  await expect(archive?.query(late, { text: select, parameters: {}, ranges: {} })).rejects.toThrow("Deadline exceeded");
});

test("without ClickHouse the archive is unavailable and retryable; it works when ClickHouse returns", async () => {
  if (!clickhouse.isOurs) return;
  await clickhouse.kill();
  const error = await seconds(select).catch((reason: unknown) => reason);
  expect(isArchiveUnavailable(error)).toBe(true);
  expect(error).toMatchObject({ rawMessage: "The archive is unavailable" });
  await clickhouse.start();
  expect(await seconds(select)).toEqual(["0", "1", "2", "3"]);
});
