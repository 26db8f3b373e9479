import { archiveClient, ofApplication } from "@ems/archive";
import { newId } from "@ems/kit/id";
import { testClickhouse } from "@ems/test-support";
import { expect, test } from "vitest";
import { archiveStatements, migrateArchive } from "./archive.ts";
import { archiveSettings } from "./config.ts";

const clickhouse = await testClickhouse();
const config = archiveSettings(clickhouse.env);
const client = archiveClient(config);
const database = config.CLICKHOUSE_DATABASE;

async function rows<Row>(query: string, settings = {}): Promise<Row[]> {
  const answer = await client?.query({ query, format: "JSONEachRow", clickhouse_settings: settings });
  return (await answer?.json<Row>()) ?? [];
}

const columns = () =>
  rows(`SELECT table, name, type FROM system.columns WHERE database = '${database}' ORDER BY table, position`);

test("migrateArchive creates tables once and adds missing columns and indexes", async () => {
  const lines: string[] = [];
  await migrateArchive(config, (line) => lines.push(line));
  const made = await columns();
  expect(made.length).toBeGreaterThan(60);
  await client?.command({ query: `ALTER TABLE ${database}.evaluation DROP COLUMN replaced_by` });
  await client?.command({ query: `ALTER TABLE ${database}.trace_step DROP INDEX by_trace_id` });
  await migrateArchive(config, () => {});
  await migrateArchive(config, () => {});
  expect(new Set((await columns()).map((column) => JSON.stringify(column)))).toEqual(
    new Set(made.map((column) => JSON.stringify(column))),
  );
  expect(lines.at(-1)).toBe("The archive's tables are up to date.");
  // The tests' own ClickHouse engine has no row policies, so their statements are printed for an administrator.
  expect(lines.some((line) => line.includes("CREATE ROW POLICY"))).toBe(clickhouse.isOurs);
});

test("ClickHouse parses every statement for a cluster", async () => {
  const statements = archiveStatements({ ...config, CLICKHOUSE_CLUSTER: "main" });
  for (const query of statements) {
    const answer = client?.query({ query: "SELECT formatQuery({query:String})", query_params: { query } });
    await expect(answer).resolves.toBeDefined();
  }
});

test.skipIf(clickhouse.isOurs)("row policies return only rows of the application that a query names", async () => {
  await migrateArchive(config, () => {});
  const [mine, theirs] = [newId(), newId()];
  for (const id of [mine, theirs])
    await client?.command({ query: `INSERT INTO ${database}.trace_step (application_id) VALUES ('${id}')` });
  const found = await rows(`SELECT application_id AS id FROM ${database}.trace_step`, ofApplication(mine));
  expect(found).toEqual([{ id: mine }]);
  await expect(rows(`SELECT count() FROM ${database}.trace_step`)).rejects.toThrow();
});
