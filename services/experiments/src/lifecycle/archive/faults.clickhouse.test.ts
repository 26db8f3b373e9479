// Failures while rows are archived: partial batches are never read, no row is read twice or lost, and a retry recovers.

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { archiveDdl, buildArchivedSelectList, isArchiveUnavailable } from "@ems/archive";
import type { Call } from "@ems/kit/rpc/call";
import { expect, onTestFinished, test } from "vitest";
import { addTests, addTraces, archiveHarness } from "../../../test/archive.ts";
import { allKinds, getSchema } from "../../../test/archive-parts.ts";
import { TestEntity } from "../../runs/tests/index.ts";

const harness = await archiveHarness();
const { sql, clock, stores, archiveDue, operate, batches, newCall, server, config, clickhouse } = harness;
const dayMs = 86_400_000;
const day = new Date(Math.floor(clock.now().getTime() / dayMs) * dayMs - 20 * dayMs);

/** Starts a proxy to ClickHouse. `insert` receives the rows of each INSERT and returns the rows to insert instead. */
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

/** Reads an application's tests as requests see them. */
async function read(call: ReturnType<typeof newCall>): Promise<{ rows: string; ids: string; durations: string }[]> {
  const { archivedRanges } = await stores.read(call as unknown as Call, ["results"], []);
  const text = "SELECT count() AS rows, uniqExact(id) AS ids, sum(ifNull(duration_ms, 0)) AS durations FROM test";
  return harness.archive.query(call, { text, parameters: {}, ranges: { test: archivedRanges.results } });
}

const none = [{ rows: "0", ids: "0", durations: "0" }];
const all = [{ rows: "10", ids: "10", durations: "45" }];
const states = async ({ tenant }: ReturnType<typeof newCall>) =>
  (await batches(tenant.applicationId)).map(({ state }) => state);

test.each([
  ["a truncated batch", (rows: string) => [rows.slice(0, rows.lastIndexOf("\n", rows.length - 2) + 1)]],
  ["a repeated batch", (rows: string) => [rows, rows]],
  ["a lost batch", () => []],
  ["a changed batch", (rows: string) => [rows.replace("\tCOMPLETED\t", "\tFAILED\t")]],
])("%s is withdrawn and archived again", async (_, insert) => {
  const call = await newTests();
  await expect(archiveDue({ CLICKHOUSE_URL: await proxied(insert) })).rejects.toThrow(
    "ClickHouse and PostgreSQL differ",
  );
  expect(await states(call)).toEqual(["withdrawn"]);
  expect(await read(call)).toEqual(none);
  await archiveDue();
  expect(await states(call)).toEqual(["withdrawn", "dropped"]);
  expect(await read(call)).toEqual(all);
});

/** Changes of rows while they are copied. Some applications have tests, others have traces and steps. */
const changes = {
  "a changed test": "UPDATE experiments.test SET duration_ms = duration_ms + 1 WHERE application_id = $1",
  "a deleted test": "DELETE FROM experiments.test WHERE application_id = $1 AND duration_ms = 3",
  "a changed evaluation with unchanged sums":
    "UPDATE experiments.evaluation SET message = 'x' WHERE application_id = $1",
  "a new evaluation": `INSERT INTO experiments.evaluation
    SELECT (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid()))).* FROM experiments.evaluation e
    WHERE e.application_id = $1 LIMIT 1`,
  "a changed trace": "UPDATE traces.trace SET has_error = NOT has_error WHERE application_id = $1",
  "a new step": `WITH step AS (INSERT INTO traces.trace_step
      SELECT (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid()))).* FROM traces.trace_step s
      WHERE s.application_id = $1 LIMIT 1 RETURNING trace_id)
    UPDATE traces.trace t SET steps = t.steps + 1 FROM step WHERE t.application_id = $1 AND t.id = step.trace_id`,
  "a withdrawn batch":
    "UPDATE experiments.archive_batch SET state = 'withdrawn' WHERE application_id = $1 AND state = 'open'",
  "a withdrawn batch of traces":
    "UPDATE traces.archive_batch SET state = 'withdrawn' WHERE application_id = $1 AND state = 'open'",
};
const readRows = (applicationId: string) =>
  sql(
    ["experiments.test", "experiments.evaluation", "traces.trace", "traces.trace_step"]
      .map((table) => `SELECT '${table}', r::text AS row FROM ${table} r WHERE application_id = $1`)
      .join(" UNION ALL ")
      .concat(" ORDER BY 2"),
    [applicationId],
  );

test.each(Object.entries(changes))("%s during the copy leaves the rows in PostgreSQL", async (_, change) => {
  const call = await newTests();
  const { applicationId } = call.tenant;
  await addTraces(sql, applicationId, day, 3);
  let after: unknown[] = [];
  const url = await proxied(async (rows) => {
    if (after.length === 0) {
      await sql(change, [applicationId]);
      after = await readRows(applicationId);
    }
    return [rows];
  });
  const [kind, other] = change.includes("traces.") ? ["traces", "results"] : ["results", "traces"];
  // Keeps the rows of the other kind from being archived, by a batch that covers their whole time range.
  await sql(
    `INSERT INTO ${getSchema(other)}.archive_batch (application_id, kind, starts, ends, state) VALUES ($1, $2, 'epoch', now(), 'restored')`,
    [applicationId, other],
  );
  await archiveDue({ CLICKHOUSE_URL: url });
  expect((await batches(applicationId, kind)).map(({ state }) => state)).toEqual(["withdrawn"]);
  expect(await readRows(applicationId)).toEqual(after);
  await archiveDue();
  expect((await batches(applicationId, kind)).map(({ state }) => state)).toEqual(["withdrawn", "dropped"]);
});

test("rows of an application with a running erasure do not move", async () => {
  const call = await newTests();
  const { applicationId } = call.tenant;
  await addTraces(sql, applicationId, day, 3);
  const ofTraces = async () => (await batches(applicationId, "traces")).map(({ state }) => state);
  await sql(
    `INSERT INTO experiments.erasure (application_id, id, org_id, end_user_key, status, erased, due_at, created_at, modified_at)
     VALUES ($1, gen_random_uuid(), 'o', gen_random_uuid(), 'RUNNING', '{}', now(), now(), now())`,
    [applicationId],
  );
  await archiveDue();
  expect([await states(call), await ofTraces()]).toEqual([[], []]);
  await sql("DELETE FROM experiments.erasure WHERE application_id = $1", [applicationId]);
  await archiveDue();
  expect([await states(call), await ofTraces()]).toEqual([["dropped"], ["dropped"]]);
});

test("without ClickHouse nothing moves; when it returns, everything does", async () => {
  if (!clickhouse.isOurs) return;
  const call = await newTests();
  await clickhouse.kill();
  await expect(archiveDue()).rejects.toThrow();
  expect(await states(call)).toEqual(["withdrawn"]);
  await clickhouse.start();
  await archiveDue();
  expect(await read(call)).toEqual(all);
});

test("killing ClickHouse in the middle of a batch leaves nothing readable", async () => {
  if (!clickhouse.isOurs) return;
  const call = await newTests();
  let inserts = 0;
  const url = await proxied(async (rows) => {
    inserts += 1;
    if (inserts === 2) await clickhouse.kill();
    return [rows];
  });
  await expect(archiveDue({ CLICKHOUSE_URL: url })).rejects.toThrow();
  await clickhouse.start();
  expect(await states(call)).toEqual(["withdrawn"]);
  expect(await read(call)).toEqual(none);
  await archiveDue();
  expect(await read(call)).toEqual(all);
});

test("an error about rows that ClickHouse cannot read quotes none of them", async () => {
  const call = await newTests();
  const url = await proxied((rows) => [rows.replaceAll("\t", " confidential ")]);
  const error: unknown = await archiveDue({ CLICKHOUSE_URL: url }).catch((reason: unknown) => reason);
  expect(String(error)).toMatch(/^Error: ClickHouse failed: [A-Z_]+ \(\d+\)$/);
  expect(error).not.toHaveProperty("cause");
  expect(await read(call)).toEqual(none);
  await archiveDue();
});

/** Creates the ClickHouse tables of the previous version; returns a function that runs `ems migrate`. */
async function olderTables(): Promise<() => Promise<void>> {
  await server.command({ query: `ALTER TABLE ${config.CLICKHOUSE_DATABASE}.test DROP COLUMN trace_steps` });
  const statements = archiveDdl(
    allKinds.flatMap(({ tables }) => tables),
    config,
  );
  return async () => {
    for (const query of statements) await server.command({ query });
  };
}

test("a server with tables of the previous version refuses rows until its columns are added; PostgreSQL's rows are readable", async () => {
  const call = await newTests();
  const { applicationId } = call.tenant;
  const migrate = await olderTables();
  await expect(archiveDue()).rejects.toThrow(/^ClickHouse failed: [A-Z_]+ \(\d+\)$/);
  expect(await states(call)).toEqual(["withdrawn"]);
  expect(await read(call)).toEqual(none);
  const text =
    "SELECT count(*)::int AS rows, sum(trace_steps)::int AS steps FROM experiments.test WHERE application_id = $1";
  const { found, archivedRanges } = await stores.read(
    call as unknown as Call,
    ["results"],
    [{ text, values: [applicationId] }],
  );
  expect([found[0], archivedRanges.results.intervals]).toEqual([[{ rows: 10, steps: null }], []]);
  await migrate();
  await archiveDue();
  expect(await states(call)).toEqual(["withdrawn", "dropped"]);
  expect(await read(call)).toEqual(all);
});

test("rows archived before a column existed are verified and restored", async () => {
  const call = await newTests();
  const { applicationId } = call.tenant;
  const rows = () =>
    sql("SELECT t::text FROM experiments.test t WHERE application_id = $1 ORDER BY id", [applicationId]);
  const before = await rows();
  const { signal } = new AbortController();
  await archiveDue();
  expect([await rows(), await states(call)]).toEqual([[], ["dropped"]]);
  const migrate = await olderTables();
  await sql(
    "UPDATE experiments.archive_batch SET checks = checks #- '{test,trace_steps_sum}' WHERE application_id = $1",
    [applicationId],
  );
  const { archivedRanges } = await stores.read(call as unknown as Call, ["results"], []);
  const text = `SELECT ${buildArchivedSelectList(TestEntity, "t")} FROM test t`;
  const archived = () =>
    stores.rows(
      call as unknown as Call,
      { kind: "results", table: "test", entity: TestEntity, text, parameters: {} },
      archivedRanges,
    );
  await expect(archived()).rejects.toSatisfy(isArchiveUnavailable);
  await migrate();
  expect(await archived()).toHaveLength(10);
  await operate(async (operator) => {
    const { differences } = await operator.verify(signal);
    expect(differences.filter((difference) => difference.applicationId === applicationId)).toEqual([]);
    await operator.restore({ application: applicationId }, signal, () => undefined);
  });
  expect([await rows(), await states(call)]).toEqual([before, ["restored"]]);
});

test("a reader gets each row once, even if it was restored and archived again after its snapshot", async () => {
  const call = await newTests();
  const { applicationId } = call.tenant;
  await archiveDue();
  const read = () => stores.read(call as unknown as Call, ["results"], []);
  const { archivedRanges } = await read();
  await operate((operator) =>
    operator.restore({ application: applicationId }, new AbortController().signal, () => undefined),
  );
  await sql("UPDATE experiments.archive_batch SET state = 'withdrawn' WHERE application_id = $1", [applicationId]);
  await archiveDue();
  expect(await states(call)).toEqual(["withdrawn", "dropped"]);
  for (const of of [archivedRanges, (await read()).archivedRanges]) {
    const rows = stores.query(call as unknown as Call, { test: of.results }, "SELECT count() AS rows FROM test", {});
    expect(await rows).toEqual([{ rows: "10" }]);
  }
});
