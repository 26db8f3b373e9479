// Partitions are created when needed by `add_months`, which is the only way the service may change its schema.

import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { newId } from "@ems/kit/id";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import { testCall, testTenant } from "@ems/test-support";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { experimentsHarness } from "../../../test/harness.ts";
import { experimentsSchema } from "../../schema.ts";

const harness = await experimentsHarness();
const { sql } = harness.database;
const pool = new pg.Pool({ connectionString: harness.database.getUrl(experimentsSchema), max: 8 });
pool.on("error", () => undefined);
afterAll(() => pool.end());

const partitions = () =>
  sql<{ name: string; bounds: string }>(
    `SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bounds
     FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
     WHERE p.relname = 'evaluation' AND p.relkind = 'p' ORDER BY 1`,
  );

test("new results create the partitions of their month and the next, with row-level security and without grants", async () => {
  expect(await partitions()).toEqual([]);
  const createdAt = timestampFromDate(new Date("2025-01-31T23:59:59.999Z"));
  await harness.client(TestService).recordResults({ tests: [{ taskId: newId(), createdAt }] }, testCall(testTenant()));
  expect(await partitions()).toEqual([
    {
      name: "evaluation_2025_01",
      bounds: "FOR VALUES FROM ('2025-01-01 00:00:00+00') TO ('2025-02-01 00:00:00+00')",
    },
    {
      name: "evaluation_2025_02",
      bounds: "FOR VALUES FROM ('2025-02-01 00:00:00+00') TO ('2025-03-01 00:00:00+00')",
    },
  ]);
  for (const { name } of await partitions()) {
    await expect(pool.query(`SELECT FROM experiments.${name}`)).rejects.toThrow("permission denied");
  }
  expect(await sql("SELECT count(*)::int AS rows FROM experiments.test_2025_01")).toEqual([{ rows: 1 }]);
});

test("concurrent calls create a month once", async () => {
  const days = ["2025-06-01", "2025-07-31"];
  await Promise.all(Array.from({ length: 8 }, () => pool.query("SELECT experiments.add_months($1)", [days])));
  const names = (await partitions()).map(({ name }) => name);
  expect(names.filter((name) => name >= "evaluation_2025_06")).toEqual(
    ["06", "07", "08"].map((month) => `evaluation_2025_${month}`),
  );
});

test("creating a month neither blocks reads and writes nor waits for them", async () => {
  await pool.query("SELECT experiments.add_months('{2025-10-01}')");
  const [other, maker] = [await pool.connect(), await pool.connect()];
  const insert = (runner: pg.PoolClient, tenant: string) =>
    runner.query(
      `INSERT INTO experiments.test (application_id, id, created_at, task_id, run_id, org_id, run_type, status, definition_ids)
       VALUES ($1, $2, '2025-10-05', $2, $2, 'o', 'MANUAL', 'COMPLETED', '{}')`,
      [tenant, newId()],
    );
  try {
    for (const client of [other, maker]) {
      await client.query("BEGIN");
      await client.query("SET LOCAL lock_timeout = '2s'");
    }
    const tenant = newId();
    await other.query("SELECT set_config('ems.application_id', $1, true)", [tenant]);
    await other.query("SELECT count(*) FROM experiments.test");
    await insert(other, tenant);
    await maker.query("SELECT experiments.add_months('{2025-12-01}')");
    // The partition is created and attached, but not committed yet.
    await insert(other, tenant);
    expect((await other.query("SELECT count(*)::int AS rows FROM experiments.test")).rows).toEqual([{ rows: 2 }]);
    await maker.query("COMMIT");
    await other.query("COMMIT");
  } finally {
    other.release();
    maker.release();
  }
});

test.each(["{1999-12-31}", "{2019-12-31}", "{NULL}", "{2026-01-01,2999-01-01}", "{infinity}"])(
  "%s is out of range and creates nothing",
  async (days) => {
    const before = await partitions();
    await expect(pool.query("SELECT experiments.add_months($1)", [days])).rejects.toThrow("results are kept from 2020");
    expect(await partitions()).toEqual(before);
  },
);

test("only the service may call it, and the caller's search_path is ignored", async () => {
  const [facts] = await sql(
    `SELECT proconfig AS settings, prosecdef AS definer, proowner::regrole::text AS owner,
       has_function_privilege('ems_experiments', oid, 'EXECUTE') AS experiments,
       has_function_privilege('ems_reporting', oid, 'EXECUTE') AS reporting,
       has_function_privilege('public', oid, 'EXECUTE') AS everybody
     FROM pg_proc WHERE proname = 'add_months'`,
  );
  expect(facts).toEqual({
    settings: ["search_path=pg_catalog, pg_temp", "TimeZone=UTC"],
    definer: true,
    owner: "ems_owner",
    experiments: true,
    reporting: false,
    everybody: false,
  });
});
