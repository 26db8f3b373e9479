import { expect, test } from "vitest";
import { archiveStatements, migrateArchive } from "./archive.ts";
import { archiveSettings } from "./config.ts";

// The ClickHouse engine of the tests supports neither clusters nor row policies, so this test only compares the
// statements. With CLICKHOUSE_TEST_URL, archive.clickhouse.test.ts runs them on a server.
test.each([
  ["one-node", {}],
  ["cluster", { CLICKHOUSE_CLUSTER: "main" }],
])("the statements for %s are those of the golden file", async (name, env) => {
  const statements = archiveStatements(archiveSettings(env));
  await expect(`${statements.join(";\n")};\n`).toMatchFileSnapshot(`clickhouse/golden/${name}.sql`);
});

test("without an archive, migrateArchive does and prints nothing", async () => {
  const lines: string[] = [];
  await migrateArchive(archiveSettings({}), (line) => lines.push(line));
  expect(lines).toEqual([]);
});

test("the error of an unreachable server has its address and no password", async () => {
  const env = { CLICKHOUSE_URL: "http://127.0.0.1:1", CLICKHOUSE_PASSWORD: "confidential" };
  const error = await migrateArchive(archiveSettings(env), () => {}).catch((reason: unknown) => reason);
  expect(String(error)).toContain("ClickHouse at http://127.0.0.1:1 (CLICKHOUSE_URL) cannot be used");
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain("confidential");
});
