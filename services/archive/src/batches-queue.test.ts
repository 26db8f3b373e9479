import { monotonicMs } from "@ems/kit/clock";
import { serviceDataSource } from "@ems/kit/db/data-source";
import { Database } from "@ems/kit/db/database";
import { newId } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import { testDatabase } from "@ems/test-support";
import { queueSuite } from "@ems/test-support/queue-suite";
import { afterAll, expect, inject, test } from "vitest";
import { abandoned, type Batch, batchesBecome, forgetBatches, openBatch, withdrawBatches } from "./batches.ts";

/** Stands in for a service's schema, in which the batch table exists. */
const schema = { name: "experiments", entities: [], migrations: [] };
const server = await testDatabase(inject("postgres"));
const open = async () => {
  const source = serviceDataSource({
    url: server.getUrl(schema),
    poolMax: 4,
    schema,
    log: createLog("test", "silent"),
  });
  await source.initialize();
  return source;
};
const sources = [await open(), await open()] as const;
const databases = [new Database(sources[0]), new Database(sources[1])] as const;
afterAll(async () => {
  await Promise.all(sources.map((source) => source.destroy()));
  await server.drop();
});

const interval = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 0, 2) };
const restoredDays = 30;
/** Applications with rows to archive; their ids are the job ids. */
const applications: string[] = [];
/** Marks the batch as the worker does after it has deleted the rows. */
const finish = (database: Database, { applicationId, kind, number }: Batch) =>
  database.withScope({ applicationId }, monotonicMs() + 10_000, async (tx) => {
    const text = batchesBecome(schema.name, "dropped", "b.state = 'open' AND b.number = $3");
    const [batch] = await tx.query<Batch>(text, [applicationId, kind, number]);
    return batch;
  });
const toPlace = (applicationId: string) => ({ schema: schema.name, applicationId, kind: "traces" as const });

queueSuite<Batch & { readonly id: string }>("batches of the archive", {
  late: "nothing",
  async clear() {
    applications.length = 0;
    await server.sql("TRUNCATE experiments.archive_batch");
  },
  async add() {
    applications.push(newId());
    return applications.at(-1) ?? "";
  },
  async claim(worker) {
    const batches: (Batch & { readonly id: string })[] = [];
    for (const id of applications) {
      await withdrawBatches(databases[worker], toPlace(id), abandoned, restoredDays);
      const batch = await openBatch(databases[worker], toPlace(id), interval);
      if (batch !== undefined) batches.push({ ...batch, id });
    }
    return batches;
  },
  finish: (worker, batch) => finish(databases[worker], batch),
  release: (worker, batch) =>
    withdrawBatches(databases[worker], batch, "b.state = 'open' AND b.number = $3", batch.number),
  row: async (id) =>
    (
      await server.sql("SELECT * FROM experiments.archive_batch WHERE application_id = $1 AND state <> 'withdrawn'", [
        id,
      ])
    )[0],
  expire: (id) =>
    server.sql(
      "UPDATE experiments.archive_batch SET changed_at = now() - interval '16 minutes' WHERE application_id = $1",
      [id],
    ),
});

test("batches of one application and kind never overlap, and adjacent ones are allowed", async () => {
  const [database] = databases;
  const [place, dayMs] = [toPlace(newId()), 86_400_000];
  const batch = await openBatch(database, place, interval);
  const { from, to } = interval;
  const overlapping = [
    interval,
    { from: from - dayMs, to: from + 1 },
    { from: to - 1, to: to + dayMs },
    { from: from - dayMs, to: to + dayMs },
    { from: from + 1, to: to - 1 },
  ];
  for (const each of overlapping) expect(await openBatch(database, place, each)).toBeUndefined();
  for (const each of [
    { from: from - dayMs, to: from },
    { from: to, to: to + dayMs },
  ]) {
    expect(await openBatch(database, place, each)).toMatchObject(each);
  }
  expect(await openBatch(database, { ...place, kind: "results" }, interval)).toMatchObject(interval);
  expect(await openBatch(database, toPlace(newId()), interval)).toMatchObject(interval);
  if (batch === undefined) throw new Error("there is no batch");
  expect(await finish(database, batch)).toMatchObject({ number: batch.number, state: "dropped" });
});

test("only one application's batches of a kind are withdrawn, and only withdrawn ones are deleted", async () => {
  const [database] = databases;
  const place = toPlace(newId());
  const results = { ...place, kind: "results" as const };
  const withdrawn = await openBatch(database, place, interval);
  const ofResults = await openBatch(database, results, interval);
  const found = await withdrawBatches(database, place, "b.state = 'open'");
  expect(found.map(({ number }) => number)).toEqual([withdrawn?.number]);
  await withdrawBatches(database, results, "b.state = 'open'");
  const repeated = await openBatch(database, place, interval);
  const numbers = [withdrawn, ofResults, repeated].flatMap((batch) => batch?.number ?? []);
  await forgetBatches(database, place, numbers);
  const left = await server.sql(
    "SELECT number FROM experiments.archive_batch WHERE application_id = $1 ORDER BY number",
    [place.applicationId],
  );
  expect(left).toEqual([{ number: ofResults?.number }, { number: repeated?.number }]);
});
