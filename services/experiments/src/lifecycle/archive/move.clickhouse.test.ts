import type { ArchiveKind } from "@ems/archive";
import type { Call as FullCall } from "@ems/kit/rpc/call";
import { expect, test } from "vitest";
import { addTests, addTraces, archiveHarness } from "../../../test/archive.ts";

const { sql, clock, archive, stores, archiveDue, batches, newCall, server, config } = await archiveHarness();
const dayMs = 86_400_000;
/** Midnight of a day that has been due for archiving for a week. */
const day = new Date(Math.floor(clock.now().getTime() / dayMs) * dayMs - 20 * dayMs);
const at = (days: number, hours = 0) => new Date(day.getTime() + days * dayMs + hours * 3_600_000);
const date = (days: number) => String(at(days).getUTCDate()).padStart(2, "0");

type Call = ReturnType<typeof newCall>;

async function archived<Row>(call: Call, kind: ArchiveKind, table: string, text: string): Promise<Row[]> {
  const { archivedRanges } = await stores.read(call as unknown as FullCall, [kind], []);
  return archive.query<Row>(call, { text, parameters: {}, ranges: { [table]: archivedRanges[kind] } });
}

test("rows move unchanged, once, day by day, and a second round moves nothing", async () => {
  const call = newCall();
  const { applicationId } = call.tenant;
  await addTests(sql, applicationId, at(0, 12), 20);
  await addTests(sql, applicationId, at(3, 1), 10);
  // This row is not due for archiving yet.
  await addTests(sql, applicationId, at(14), 1);
  const ours = await sql(
    `SELECT id, (extract(epoch FROM created_at) * 1000)::bigint AS at, score_micro, topic_id, duration_ms, passed, definition_ids,
       message, prompt::text AS prompt, status, modified_at
     FROM experiments.test WHERE application_id = $1 AND created_at < $2 ORDER BY at`,
    [applicationId, at(13)],
  );
  for (let round = 0; round < 2; round += 1) await archiveDue();

  expect(await batches(applicationId)).toMatchObject([
    { state: "dropped", from: `${date(0)}T00:00:00`, to: `${date(1)}T00:00:00`, rows: "60" },
    { state: "dropped", from: `${date(1)}T00:00:00`, to: `${date(4)}T00:00:00`, rows: "30" },
  ]);
  const select = `id, toUnixTimestamp64Milli(created_at) AS at, score_micro, topic_id, duration_ms, passed, definition_ids,
    message, prompt, status, modified_at`;
  const theirs = await archived(call, "results", "test", `SELECT ${select} FROM test ORDER BY at`);
  expect(ours).toHaveLength(30);
  expect(theirs).toEqual(ours);
  const left =
    "SELECT (SELECT count(*) FROM experiments.test WHERE application_id = $1)::int AS tests, (SELECT count(*) FROM experiments.evaluation WHERE application_id = $1)::int AS evaluations";
  expect(await sql(left, [applicationId])).toEqual([{ tests: 1, evaluations: 2 }]);
  const costs = "SELECT DISTINCT cost_micro FROM evaluation";
  expect(await archived(call, "results", "evaluation", costs)).toEqual([{ cost_micro: "9007199254740993" }]);
});

test("traces move with their steps, which have their trace's time, and with the keys of their words", async () => {
  const call = newCall();
  const { applicationId } = call.tenant;
  await addTraces(sql, applicationId, at(0, 23), 5);
  await archiveDue();
  expect(await batches(applicationId, "traces")).toMatchObject([{ state: "dropped", rows: "15" }]);
  const words = "SELECT DISTINCT arraySort(words) AS words FROM trace";
  expect(await archived(call, "traces", "trace", words)).toEqual([
    { words: ["7", "8", "9007199254740991", "9007199254740991"] },
  ]);
  const steps = `SELECT toUnixTimestamp64Milli(created_at) AS at, input FROM trace_step ORDER BY at, position LIMIT 2`;
  expect(await archived(call, "traces", "trace_step", steps)).toEqual([
    { at: String(at(0, 23).getTime()), input: "input 0" },
    { at: String(at(0, 23).getTime()), input: "input 1" },
  ]);
});

test("tests without evaluations move although there are no evaluations to insert", async () => {
  const { applicationId } = newCall().tenant;
  await addTests(sql, applicationId, at(0, 1), 3);
  await sql("DELETE FROM experiments.evaluation WHERE application_id = $1", [applicationId]);
  await archiveDue();
  expect(await batches(applicationId)).toMatchObject([{ state: "dropped", rows: "3" }]);
});

test("busy rows stay, and the rows before and after them move", async () => {
  const { applicationId } = newCall().tenant;
  await addTests(sql, applicationId, at(0, 1), 10);
  await addTests(sql, applicationId, at(0, 2), 1, "PENDING");
  await addTests(sql, applicationId, at(0, 3), 10);
  await sql(
    `UPDATE experiments.evaluation SET modified_at = $2 WHERE application_id = $1
       AND created_at = (SELECT max(created_at) FROM experiments.evaluation WHERE application_id = $1)`,
    [applicationId, at(14)],
  );
  await archiveDue();
  expect(await batches(applicationId)).toMatchObject([
    { from: `${date(0)}T00:00:00`, to: `${date(0)}T02:00:00`, rows: "30" },
    { from: `${date(0)}T02:00:00`, to: `${date(0)}T03:00:09`, rows: "27" },
  ]);
});

test("a day with only busy rows is skipped", async () => {
  const { applicationId } = newCall().tenant;
  await addTests(sql, applicationId, at(0, 1), 2, "PENDING");
  await addTests(sql, applicationId, at(2), 10);
  await archiveDue({ ARCHIVE_BATCH_ROWS: 1 });
  await archiveDue();
  const [first, ...rest] = await batches(applicationId);
  expect([first?.from, rest.length, rest.at(-1)?.to]).toEqual([`${date(0)}T01:00:01`, 9, `${date(3)}T00:00:00`]);
});

test("a batch has a maximum of root rows, except for rows of the same time", async () => {
  const { applicationId } = newCall().tenant;
  await addTests(sql, applicationId, at(0), 10);
  for (let each = 0; each < 6; each += 1) await addTests(sql, applicationId, at(0, 5), 1);
  await archiveDue({ ARCHIVE_BATCH_ROWS: 4 });
  expect((await batches(applicationId)).map(({ rows }) => rows)).toEqual(["12", "12", "6", "18"]);
});

test("two concurrent workers move each row once", async () => {
  const call = newCall();
  const { applicationId } = call.tenant;
  for (let days = 0; days < 5; days += 1) await addTests(sql, applicationId, at(days), 10);
  await Promise.all([archiveDue(), archiveDue()]);
  await archiveDue();
  expect((await batches(applicationId)).filter(({ state }) => state === "dropped")).toHaveLength(5);
  const count = "SELECT count() AS rows, uniqExact(id) AS ids FROM evaluation";
  expect(await archived(call, "results", "evaluation", count)).toEqual([{ rows: "100", ids: "100" }]);
});

test("an abandoned batch is released after a while, and its interval archived again", async () => {
  const call = newCall();
  const { applicationId } = call.tenant;
  await addTests(sql, applicationId, at(0), 10);
  await sql(
    "INSERT INTO experiments.archive_batch (application_id, kind, starts, ends) VALUES ($1, 'results', $2, $3)",
    [applicationId, at(0), at(1)],
  );
  const [left] = await batches(applicationId);
  // Simulates the rows that the killed process had already written.
  await server.insert({
    table: `${config.CLICKHOUSE_DATABASE}.test`,
    values: [{ application_id: applicationId, created_at: at(0).toISOString().replace("Z", ""), batch: left?.number }],
    format: "JSONEachRow",
  });
  await archiveDue();
  expect(await batches(applicationId)).toMatchObject([{ state: "open" }]);
  await sql(
    "UPDATE experiments.archive_batch SET changed_at = now() - interval '16 minutes' WHERE application_id = $1",
    [applicationId],
  );
  await archiveDue();
  expect(await batches(applicationId)).toMatchObject([{ state: "withdrawn" }, { state: "dropped", rows: "30" }]);
  const count = "SELECT count() AS rows FROM test";
  expect(await archived(call, "results", "test", count)).toEqual([{ rows: "10" }]);

  await sql(
    "UPDATE experiments.archive_batch SET changed_at = now() - interval '61 minutes' WHERE application_id = $1",
    [applicationId],
  );
  await archiveDue();
  expect(await batches(applicationId)).toMatchObject([{ state: "dropped" }]);
  expect(await archived(call, "results", "test", count)).toEqual([{ rows: "10" }]);
});
