// Reports from a standby that follows the primary by streaming replication (REPORTING_DATABASE_URL).

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { schemas } from "@ems/deploy/schemas";
import { localSecrets } from "@ems/deploy/secrets";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { migrate } from "@ems/kit/db/migrate";
import { ensureDatabase, provisionDatabase, urlFor } from "@ems/kit/db/provision";
import { newestMigration, ownerRole } from "@ems/kit/db/schema";
import { reportingSchema } from "@ems/reporting/schema";
import { startFaultProxy } from "@ems/test-support/fault-proxy";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { Api } from "../harness/api.ts";
import { startProduct } from "../harness/product.ts";
import { readRows, replicatedPostgres } from "../harness/standby.ts";

const dataDir = await temporaryDir("ems-test-replica-");
const { passwords } = await localSecrets(dataDir);
const getDatabase = (url: string) => new URL("/ems", url).href;
const servers = await replicatedPostgres(async (primaryUrl) => {
  const url = getDatabase(primaryUrl);
  await ensureDatabase(url);
  await provisionDatabase(url, schemas, passwords);
  await migrate(urlFor(url, ownerRole, passwords), schemas);
});
afterAll(() => servers.remove());
const primaryUrl = getDatabase(servers.primaryUrl);

const proxy = await startFaultProxy(() => Number(new URL(servers.standbyUrl()).port));
afterAll(() => proxy.close());
const reportingUrl = new URL(urlFor(primaryUrl, "ems_reporting", passwords));
reportingUrl.port = String(proxy.port);
const env = { DATABASE_URL: primaryUrl, REPORTING_DATABASE_URL: reportingUrl.href };

const product = await startProduct("one", { dataDir, env });
afterAll(() => product.remove());
const { baseUrl, adminUrl, orgId, applicationId, apiKey = "" } = product.facts;
const api = await Api.open(baseUrl, applicationId, apiKey);

const queryReport = (datasource: string, query: object = { measurements: [{ type: "count" }] }) =>
  api.post("/v0/reporting/query", { datasource, timezone: "Europe/Copenhagen", ...query });
const poll = <T>(look: () => T) => expect.poll(look, { timeout: 60_000, interval: 20 });
/** Reports on the standby that wait for a lock. */
const reportsThatWait = () =>
  servers.onStandby<{ pid: number }>(
    "ems",
    `SELECT pid FROM pg_stat_activity
     WHERE usename = 'ems_reporting' AND wait_event_type = 'Lock'`,
  );

/** Runs `work` while the primary holds a lock for which reports on topics wait on the standby. */
async function whileTopicsAreLocked(work: () => Promise<void>): Promise<void> {
  const locker = new pg.Client({ connectionString: primaryUrl });
  await locker.connect();
  try {
    await locker.query("BEGIN; LOCK TABLE catalog.topic IN ACCESS EXCLUSIVE MODE");
    await servers.caughtUp();
    await work();
  } finally {
    await locker.end();
  }
}

test("reports on the standby are right, of every datasource, as soon as it has what was written", async () => {
  const seed = ["deploy/dev/seed.ts", "--size", "small", "--json"];
  const options = { cwd: join(import.meta.dirname, "../.."), env: { ...process.env, ...env, DATA_DIR: dataDir } };
  await promisify(execFile)(process.execPath, seed, options);
  await servers.caughtUp();
  const asTenant = new URL(primaryUrl);
  asTenant.searchParams.set("options", `-c ems.application_id=${applicationId} -c ems.org_id=${orgId}`);
  const views = { task: "task_v1", test: "test_v1", eval: "evaluation_v1", topic: "topic_v1", tag: "tag_v1" };
  for (const [datasource, view] of Object.entries(views)) {
    const count = `SELECT count(*)::int AS count FROM reporting.${view} WHERE application_id = $1`;
    const [row] = await readRows<{ count: number }>(asTenant.href, count, [applicationId]);
    const total = row?.count ?? 0;
    expect(total).toBeGreaterThan(0);
    expect((await queryReport(datasource)).body.data.results).toEqual([{ count: total }]);
    expect((await queryReport(datasource, { limit: 100 })).body).toMatchObject({ pagination: { total } });
    const groupBy = [{ column: "createdAt", type: "date", dateTrunc: "year" }];
    const years = (await queryReport(datasource, { groupBy })).body.data.results as { count: number }[];
    expect(years.reduce((sum, { count }) => sum + count, 0)).toBe(total);
  }
});

test("it is the standby that answers: what it has not replayed is in no report", async () => {
  const count = async () => (await queryReport("topic")).body.data.results[0].count;
  const before = await count();
  await servers.onStandby("ems", "SELECT pg_wal_replay_pause()");
  expect((await api.post("/v0/topics", { title: "late" })).status).toBe(201);
  expect(await count()).toBe(before);
  await servers.onStandby("ems", "SELECT pg_wal_replay_resume()");
  await servers.caughtUp();
  expect(await count()).toBe(before + 1);
});

test("reporting is not ready while the standby lacks a migration that the primary has yet to pass on", async () => {
  const name = newestMigration(reportingSchema);
  const ready = async () => (await fetch(`${adminUrl}/readyz`)).status;
  await readRows(primaryUrl, "UPDATE reporting.migration SET name = 'older' WHERE name = $1", [name]);
  await poll(ready).toBe(503);
  await readRows(primaryUrl, "UPDATE reporting.migration SET name = $1 WHERE name = 'older'", [name]);
  await poll(ready).toBe(200);
});

test("a report that conflicts with a vacuum on the primary is repeated", async () => {
  let pending: ReturnType<typeof queryReport> | undefined;
  let pid = Number.NaN;
  await whileTopicsAreLocked(async () => {
    pending = queryReport("topic");
    await poll(reportsThatWait).toHaveLength(1);
    const [report] = await reportsThatWait();
    pid = report?.pid ?? pid;
    // The stopped report stays in its transaction, with its snapshot, even after the lock is released.
    process.kill(pid, "SIGSTOP");
  });
  try {
    await readRows(primaryUrl, "UPDATE catalog.tag SET name = name");
    await readRows(primaryUrl, "VACUUM catalog.tag");
    await servers.send();
    await poll(servers.standbyLog).toContain("recovery still waiting");
  } finally {
    process.kill(pid, "SIGCONT");
  }
  expect((await pending)?.status).toBe(200);
  expect(await servers.standbyLog()).toContain("canceling statement due to conflict with recovery");
});

test("a standby that crashes costs reports 503, and nothing else, until it has recovered", async () => {
  await whileTopicsAreLocked(async () => {
    const pending = queryReport("topic");
    await poll(reportsThatWait).toHaveLength(1);
    const [report] = await reportsThatWait();
    // PostgreSQL then ends all other sessions and restarts.
    process.kill(report?.pid ?? Number.NaN, "SIGKILL");
    expect((await pending).status).toBe(503);
  });
  const answers: number[] = [];
  await poll(async () => answers[answers.push((await queryReport("tag")).status) - 1]).toBe(200);
  expect(answers.filter((status) => status !== 200 && status !== 503)).toEqual([]);
});

test("a standby that restarts costs reports a 503 that says when to ask again, and nothing else", async () => {
  await whileTopicsAreLocked(async () => {
    const pending = queryReport("topic");
    await poll(reportsThatWait).toHaveLength(1);
    await servers.stopStandby();
    const answer = await pending;
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await queryReport("tag")).status).toBe(503);
    expect((await api.get("/v0/tags")).status).toBe(200);
  });
  await servers.startStandby();
  await poll(async () => (await queryReport("topic")).status).toBe(200);
  expect(product.stderr()).not.toContain("Internal server error");
});
