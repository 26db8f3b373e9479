import { expect, test } from "vitest";
import { archiveStatements, migrateArchive } from "./archive.ts";
import { archiveSettings } from "./config.ts";

// The engine of the tests has no clusters and no row policies: those statements are compared here, and run where
// CLICKHOUSE_TEST_URL names a server (archive.clickhouse.test.ts).
test.each([
  ["one-node", {}],
  ["cluster", { CLICKHOUSE_CLUSTER: "main" }],
])("the statements for %s are those of the golden file", async (name, env) => {
  const statements = archiveStatements(archiveSettings(env));
  await expect(`${statements.join(";\n")};\n`).toMatchFileSnapshot(`clickhouse/golden/${name}.sql`);
});

test("without an archive nothing is made, and nothing is printed", async () => {
  const lines: string[] = [];
  await migrateArchive(archiveSettings({}), (line) => lines.push(line));
  expect(lines).toEqual([]);
});

test("a server that does not answer is told by its address and without the password", async () => {
  const env = { CLICKHOUSE_URL: "http://127.0.0.1:1", CLICKHOUSE_PASSWORD: "confidential" };
  const error = await migrateArchive(archiveSettings(env), () => {}).catch((reason: unknown) => reason);
  expect(String(error)).toContain("ClickHouse at http://127.0.0.1:1 (CLICKHOUSE_URL) cannot be used");
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain("confidential");
});
