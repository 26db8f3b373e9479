import { readConfig } from "@ems/kit/config";
import { table, text, timestamp, uuid } from "@ems/kit/db/table";
import { expect, test } from "vitest";
import { archiveConfig } from "./config.ts";
import { archiveDdl, archivePolicies } from "./ddl.ts";

const entity = table("experiments.evaluation", { applicationId: uuid, createdAt: timestamp, id: uuid, message: text });
const evaluation = { entity, order: ["id"], lookups: ["id"] };
const place = { CLICKHOUSE_DATABASE: "ems", CLICKHOUSE_CLUSTER: undefined };

// Compares only the texts: the ClickHouse engine that tests start has no clusters and no row policies.
test("a cluster has a replicated table on each node and a distributed one over them, sharded by application", () => {
  const ddl = archiveDdl([evaluation], { ...place, CLICKHOUSE_CLUSTER: "main" });
  expect(ddl).toMatchInlineSnapshot(`
    [
      "CREATE DATABASE IF NOT EXISTS ems ON CLUSTER 'main'",
      "CREATE TABLE IF NOT EXISTS ems.evaluation_local ON CLUSTER 'main' (
      application_id UUID,
      created_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD),
      id UUID,
      message String CODEC(ZSTD(3)),
      batch UInt32,
      INDEX by_id id TYPE bloom_filter GRANULARITY 1
    )
    ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/ems/evaluation_local', '{replica}') PARTITION BY toYYYYMM(created_at)
    ORDER BY (application_id, created_at, id)",
      "ALTER TABLE ems.evaluation_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS application_id UUID, ADD COLUMN IF NOT EXISTS created_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD), ADD COLUMN IF NOT EXISTS id UUID, ADD COLUMN IF NOT EXISTS message String CODEC(ZSTD(3)), ADD COLUMN IF NOT EXISTS batch UInt32, ADD INDEX IF NOT EXISTS by_id id TYPE bloom_filter GRANULARITY 1",
      "CREATE TABLE IF NOT EXISTS ems.evaluation ON CLUSTER 'main' AS ems.evaluation_local
    ENGINE = Distributed('main', 'ems', 'evaluation_local', cityHash64(application_id))",
      "ALTER TABLE ems.evaluation ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS application_id UUID, ADD COLUMN IF NOT EXISTS created_at DateTime64(3, 'UTC'), ADD COLUMN IF NOT EXISTS id UUID, ADD COLUMN IF NOT EXISTS message String, ADD COLUMN IF NOT EXISTS batch UInt32",
    ]
  `);
});

test("row policies limit a query to the rows of the application that it names", () => {
  expect(archivePolicies(place)).toMatchInlineSnapshot(`
    [
      "CREATE ROW POLICY IF NOT EXISTS application ON ems.*
    USING application_id = toUUID(getSetting('log_comment')) TO ALL",
    ]
  `);
  expect(archivePolicies({ ...place, CLICKHOUSE_CLUSTER: "main" }).join()).toContain(
    "application ON CLUSTER 'main' ON ems.*",
  );
});

test.each([
  ["CLICKHOUSE_URL", "https://ems:secret@clickhouse:8443", "must have no user, password or query"],
  ["CLICKHOUSE_URL", "https://clickhouse:8443/?readonly=0", "must have no user, password or query"],
  ["CLICKHOUSE_URL", "tcp://clickhouse:9000", "must be an http:// or https:// URL"],
  ["CLICKHOUSE_DATABASE", "ems.x; DROP DATABASE ems", "must be the name of a database"],
  ["CLICKHOUSE_CLUSTER", "main' AS x", "must be the name of a cluster"],
])("%s %j is refused, and the message omits the value", (name, value, sentence) => {
  const read = () => readConfig(archiveConfig, { [name]: value });
  expect(read).toThrow(`${name}: ${sentence}`);
  expect(read).not.toThrow(value);
});
