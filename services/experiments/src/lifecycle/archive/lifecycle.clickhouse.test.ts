// Restoring and erasing archived rows, and deleting them after their retention period.

import { Erasing, expireArchived } from "@ems/archive";
import { newId } from "@ems/kit/id";
import { TraceWorkService } from "@ems/proto/traces/v1/trace_work_service";
import { serviceHarness } from "@ems/test-support";
import { tracesConfig } from "@ems/traces/config";
import { tracesSchema } from "@ems/traces/schema";
import { createTraces } from "@ems/traces/service";
import { expect, test, vi } from "vitest";
import { addTests, addTraces, archiveHarness } from "../../../test/archive.ts";
import { countUser } from "../erasures/count-user.ts";
import { advance } from "../erasures/worker.ts";
import { resultsRetention } from "../retention/index.ts";
import { archiveOptions } from "./kinds.ts";

const harness = await archiveHarness();
const { sql, clock, log, stores, archiveDue, operate, batches, newCall, config, clickhouse, server } = harness;
const { database, relayDatabase, source } = harness;
const traces = await serviceHarness({
  schema: tracesSchema,
  config: tracesConfig,
  build: createTraces,
  // Keeps the service's own worker from archiving anything: tests archive explicitly.
  env: { ...clickhouse.env, ARCHIVE_AFTER_DAYS: "3650" },
  database: harness.postgres,
});
const traceWork = traces.client(TraceWorkService);
const dayMs = 86_400_000;
const day = new Date(Math.floor(clock.now().getTime() / dayMs) * dayMs - 20 * dayMs);
const at = (hours: number) => new Date(day.getTime() + hours * 3_600_000);
const signal = new AbortController().signal;
const tables = [
  "test",
  "evaluation",
  "trace",
  "trace_step",
  "trace_words",
  "trace_metadata",
  "test_count",
  "trace_count",
];

/** Returns all rows of an application in the tables `names`, as text. */
async function readRows(applicationId: string, names = tables.slice(0, 6)) {
  const found: Record<string, unknown[]> = {};
  for (const name of names) {
    const rows = await sql<{ row: string }>(
      `SELECT t::text AS row FROM ${name.startsWith("trace") ? "traces" : "experiments"}.${name} t WHERE application_id = $1 ORDER BY 1`,
      [applicationId],
    );
    found[name] = rows.map(({ row }) => row);
  }
  return found;
}
const readCounts = (applicationId: string) =>
  sql(
    "SELECT ordered_by, bits, bucket, sum(rows)::int AS rows FROM experiments.test_count WHERE application_id = $1 GROUP BY 1, 2, 3 HAVING sum(rows) <> 0 ORDER BY 1, 2, 3",
    [applicationId],
  );
const countRows = async (applicationId: string) =>
  Object.values(await readRows(applicationId)).map((rows) => rows.length);
const readStates = async (applicationId: string, kind = "results") =>
  (await batches(applicationId, kind)).map(({ state }) => state);
/** Archives one month of results and of traces. */
async function archived(applicationId = newCall().tenant.applicationId) {
  await addTests(sql, applicationId, at(3), 8);
  await addTraces(sql, applicationId, at(5), 4);
  await sql("UPDATE traces.trace_words SET words = words || ARRAY[$2::bigint] WHERE application_id = $1", [
    applicationId,
    -Math.floor(at(5).getTime() / dayMs),
  ]);
  const before = await readRows(applicationId);
  const counts = await readCounts(applicationId);
  await archiveDue();
  return { applicationId, before, counts };
}

test("a restore returns rows and counts exactly, once; the rows are archived again only after a while", async () => {
  const { applicationId, before, counts } = await archived();
  expect(await countRows(applicationId)).toEqual([0, 0, 0, 0, 0, 0]);
  expect(await readCounts(applicationId)).toEqual([]);
  expect([await readStates(applicationId), await readStates(applicationId, "traces")]).toEqual([
    ["dropped"],
    ["dropped"],
  ]);
  expect(await operate((operator) => operator.verify(signal))).toMatchObject({ differences: [] });

  const restored: string[] = [];
  const restore = () =>
    operate((operator) => operator.restore({ application: applicationId }, signal, ({ kind }) => restored.push(kind)));
  await Promise.all([restore(), restore()]);
  expect(restored.sort()).toEqual(["results", "traces"]);
  const after = await readRows(applicationId);
  for (const name of ["test", "evaluation", "trace", "trace_step"]) expect(after[name], name).toEqual(before[name]);
  expect(after.trace_metadata).toHaveLength(4);
  const found = await sql(
    "SELECT DISTINCT key FROM traces.trace_words, unnest(words) key WHERE application_id = $1 ORDER BY 1",
    [applicationId],
  );
  expect(found.map(({ key }: { key?: string }) => Number(key))).toEqual(
    expect.arrayContaining([7, 8, 9007199254740991, -Math.floor(at(5).getTime() / dayMs)]),
  );
  expect(await readCounts(applicationId)).toEqual(counts);
  const states = async () => [await readStates(applicationId), await readStates(applicationId, "traces")];
  expect(await states()).toEqual([["restored"], ["restored"]]);
  await archiveDue();
  expect(await states()).toEqual([["restored"], ["restored"]]);
  for (const schema of ["experiments", "traces"]) {
    await sql(`UPDATE ${schema}.archive_batch SET changed_at = now() - interval '8 days' WHERE application_id = $1`, [
      applicationId,
    ]);
  }
  await archiveDue();
  for (const kind of ["results", "traces"]) expect(await readStates(applicationId, kind)).toContain("dropped");
});

test("rows lost by ClickHouse are detected and not restored", async () => {
  const { applicationId } = await archived();
  await server.command({
    query: `ALTER TABLE ${config.CLICKHOUSE_DATABASE}.test DELETE WHERE duration_ms = 1 AND application_id = '${applicationId}'`,
    clickhouse_settings: { mutations_sync: "2" },
  });
  expect((await operate((operator) => operator.verify(signal))).differences).toMatchObject([
    { applicationId, table: "test" },
  ]);
  const restore = operate((operator) =>
    operator.restore({ application: applicationId, kind: "results" }, signal, () => undefined),
  );
  await expect(restore).rejects.toThrow("differ in rows");
  expect(await readStates(applicationId)).toEqual(["dropped"]);
  await sql("DELETE FROM experiments.archive_batch WHERE application_id = $1", [applicationId]);
});

test("emptied months are dropped, a month with a row stays, and old results create their month again", async () => {
  const { applicationId } = await archived();
  const months = () =>
    sql<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relname ~ '^(detached_)?test_[0-9_]+$' AND relkind = 'r' AND to_date(right(relname, 7), 'YYYY_MM') < now() - interval '3 months' ORDER BY 1",
    );
  expect(await months()).not.toEqual([]);
  await sql("DELETE FROM experiments.test; DELETE FROM experiments.evaluation");
  await vi.waitFor(
    async () => {
      // PostgreSQL's statistics may not include the deletion yet.
      await sql("VACUUM (ANALYZE) experiments.test");
      await archiveOptions(relayDatabase).onEvicted?.("results");
      expect(await months()).toEqual([]);
    },
    { timeout: 20_000 },
  );
  await addTests(sql, applicationId, at(3), 1);
  await operate((operator) =>
    operator.restore({ application: applicationId, kind: "results" }, signal, () => undefined),
  );
  expect((await countRows(applicationId)).slice(0, 2)).toEqual([9, 18]);
});

test.each(["an erasure", "a deletion of traces"])(
  "%s waits for ClickHouse, restores the rows, and leaves no text in either store",
  async (kind) => {
    const applicationId = newId();
    await addTraces(sql, applicationId, at(5), 2);
    await addTests(sql, applicationId, at(3), 2);
    const key = newId();
    const [storedTest] = await sql<{ id: string }>(
      "SELECT id FROM experiments.test WHERE application_id = $1 LIMIT 1",
      [applicationId],
    );
    const [ofUser] = await sql<{ id: string }>(
      "UPDATE traces.trace SET end_user_key = $2, test_id = $3 WHERE application_id = $1 AND id = (SELECT id FROM traces.trace WHERE application_id = $1 LIMIT 1) RETURNING id",
      [applicationId, key, storedTest?.id],
    );
    const rows = new Erasing({ stores, source }, archiveOptions());
    const plans = { eraseTracedTasks: async () => ({ taskIds: [] }) };
    const count = () => {
      const call = {
        ...newCall(),
        tenant: { applicationId, orgId: "o", userId: "" },
        caller: "test",
        requestId: newId(),
      };
      return countUser({ stores, plans } as unknown as Parameters<typeof countUser>[0], call, key);
    };
    const counts = await count();
    expect(counts).toMatchObject({ traces: 1, steps: 2, tests: 1, evaluations: 2 });
    await archiveDue();
    expect(await count()).toEqual(counts);
    const erasing = {
      database,
      archiveErasing: rows,
      clock,
      newId,
      publishAll: () => undefined,
      plans,
      traceWork,
    } as unknown as Parameters<typeof advance>[0];
    const isOfUser = kind === "an erasure";
    const erasureId = newId();
    await sql(
      `INSERT INTO experiments.erasure (application_id, id, org_id, end_user_key, traces, status, erased, due_at, created_at, modified_at)
     VALUES ($1, $2, 'o', $3, $4, 'RUNNING', '{}', now(), now(), now())`,
      [applicationId, erasureId, isOfUser ? key : null, isOfUser ? null : 1],
    );
    if (!isOfUser)
      await sql("INSERT INTO experiments.erasure_trace (application_id, erasure_id, trace_id) VALUES ($1, $2, $3)", [
        applicationId,
        erasureId,
        ofUser?.id,
      ]);
    const erasure = async () =>
      (
        await sql<{ status: string; erased: Record<string, number> }>(
          "SELECT status, erased FROM experiments.erasure WHERE application_id = $1",
          [applicationId],
        )
      )[0];
    const repeat = async () => {
      await sql("UPDATE experiments.erasure SET due_at = now() WHERE application_id = $1 AND due_at IS NOT NULL", [
        applicationId,
      ]);
      return advance(erasing, relayDatabase);
    };
    if (clickhouse.isOurs) {
      await clickhouse.kill();
      await expect(repeat()).rejects.toThrow("erasures failed");
      expect(await erasure()).toMatchObject({ status: "RUNNING", erased: {} });
      await clickhouse.start();
    }
    while (await repeat());
    await sql("DELETE FROM experiments.erasure_work");
    await repeat();
    // The erasure waits, because reports may still read batches that were just withdrawn.
    expect(await erasure()).toMatchObject({
      status: "RUNNING",
      erased: { traces: 1, steps: 2, tests: 1, evaluations: 2 },
    });
    await sql(
      "UPDATE experiments.archive_batch SET changed_at = now() - interval '61 seconds' WHERE application_id = $1",
      [applicationId],
    );
    await repeat();
    // The erasure waits again, because batches of traces were withdrawn too.
    expect(await erasure()).toMatchObject({ status: "RUNNING" });
    await sql("UPDATE traces.archive_batch SET changed_at = now() - interval '61 seconds' WHERE application_id = $1", [
      applicationId,
    ]);
    await repeat();
    expect(await erasure()).toMatchObject({ status: "COMPLETED" });
    expect((await countRows(applicationId)).slice(0, 4)).toEqual([2, 4, 1, 2]);
    for (const table of ["trace", "trace_step", "test", "evaluation"]) {
      const found = await server.query({
        query: `SELECT count() AS rows FROM ${config.CLICKHOUSE_DATABASE}.${table} WHERE application_id = '${applicationId}'`,
        format: "JSONEachRow",
        clickhouse_settings: { log_comment: applicationId },
      });
      expect(await found.json()).toMatchObject([{ rows: expect.toSatisfy((text) => Number(text) === 0) }]);
    }
  },
);

test("retention deletes archived months and days and their batches", async () => {
  const { applicationId } = newCall().tenant;
  const last = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() - 1, 28, 12));
  for (const from of [last, at(3), at(27)]) await addTests(sql, applicationId, from, 2);
  await archiveDue();
  expect(await readStates(applicationId)).toEqual(["dropped", "dropped", "dropped"]);
  // Retention of 19 days hides and deletes rows from before `at(24)`.
  const retention = resultsRetention(19, {
    database,
    relayDatabase,
    clock,
    log,
    expireArchived: (before) =>
      expireArchived({ database, relayDatabase, source }, archiveOptions(), "results", before),
  });
  await retention.run(signal);
  const [{ deleted } = { deleted: 0 }] = await sql<{ deleted: number }>(
    "DELETE FROM experiments.retention RETURNING deleted::int",
  );
  expect(deleted).toBeGreaterThanOrEqual(12);
  expect(await readStates(applicationId)).toEqual(["dropped"]);
  const found = await server.query({
    query: `SELECT count() AS rows FROM ${config.CLICKHOUSE_DATABASE}.test WHERE application_id = '${applicationId}'`,
    format: "JSONEachRow",
    clickhouse_settings: { log_comment: applicationId },
  });
  expect(await found.json()).toEqual([{ rows: 2 }]);
  expect(await operate((operator) => operator.verify(signal))).toMatchObject({ differences: [] });
});
