import { migrateArchive } from "@ems/deploy/archive";
import { archiveSettings } from "@ems/deploy/config";
import { experimentsSchema } from "@ems/experiments/schema";
import { newId } from "@ems/kit/id";
import { type TestDatabase, testClickhouse, testDatabase } from "@ems/test-support";
import { tracesSchema } from "@ems/traces/schema";
import { expect, inject, onTestFinished, test } from "vitest";
import { withArchive } from "../archive.ts";
import { cliThat } from "../test/ems.ts";
import { archiveChecks } from "./archive.ts";

/** Opens empty databases in PostgreSQL and ClickHouse, for experiments and traces. */
async function openStores() {
  const [database, clickhouse] = [await testDatabase(inject("postgres")), await testClickhouse()];
  onTestFinished(() => database.drop());
  const cli = cliThat(() => undefined, {
    ...clickhouse.env,
    ARCHIVE_AFTER_DAYS: "7",
    EXPERIMENTS_DATABASE_URL: database.getUrl(experimentsSchema),
    EXPERIMENTS_RELAY_DATABASE_URL: database.getRelayUrl(experimentsSchema),
    TRACES_DATABASE_URL: database.getUrl(tracesSchema),
    TRACES_RELAY_DATABASE_URL: database.getRelayUrl(tracesSchema),
  });
  return {
    addTest: (applicationId: string, days: number) => addTest(database, applicationId, days),
    addTrace: (applicationId: string, days: number) => addTrace(database, applicationId, days),
    prepare: () => migrateArchive(archiveSettings(clickhouse.env), () => undefined),
    finding: async () => archiveChecks(cli)[0]?.run(),
    archive: () => withArchive(cli, (archive) => archive.run(cli.stopped, () => undefined)),
  };
}

/** SQL for the start of the day that is $1 days ago. */
const day = "date_trunc('day', now(), 'UTC') - $1 * interval '1 day'";

async function addTest(database: TestDatabase, applicationId: string, days: number) {
  await database.sql(`SELECT experiments.add_months(ARRAY[(${day})::date])`, [days]);
  await database.sql(
    `INSERT INTO experiments.test (application_id, id, created_at, task_id, run_id, org_id, run_type, status, definition_ids)
       VALUES ($2, $3, ${day}, $3, $3, 'o', 'MANUAL', 'COMPLETED', '{}')`,
    [days, applicationId, newId()],
  );
}

async function addTrace(database: TestDatabase, applicationId: string, days: number) {
  await database.sql(
    `INSERT INTO traces.trace (application_id, id, org_id, timestamp, type, is_root_child, has_error, steps, bytes, step_count,
         total_cost, total_duration_ms, total_prompt_tokens, total_completion_tokens, pinned, metadata, created_at, modified_at)
       VALUES ($2, $3, 'o', ${day}, 'llm', false, false, 0, 0, 0, 0, 0, 0, 0, 0, '{}', ${day}, ${day})`,
    [days, applicationId, newId()],
  );
}

test("the lag of an archive is the age of the oldest due row, whatever the age of the last batch is", async () => {
  const { addTest, addTrace, prepare, finding, archive } = await openStores();
  const [busy, quiet] = [newId(), newId()];
  expect(await finding()).toMatchObject({ status: "failure", advice: "Run ems migrate with CLICKHOUSE_URL." });
  await prepare();
  expect(await finding()).toMatchObject({ status: "ok", detail: expect.stringContaining(" 0 batches") });

  // Rows are due 7 days after the end of their day, so a test from 40 days ago has been due for 32 days.
  await addTest(quiet, 40);
  const advice = "ems archive run archives what is due, or says why not.";
  const late = { status: "warning", detail: expect.stringMatching(/ 0 batches.* due for 32 days$/), advice };
  expect(await finding()).toMatchObject(late);
  await archive();
  expect(await finding()).toMatchObject({ status: "ok", detail: expect.stringContaining(" 1 batches") });

  // Tests from 7 days ago are not due, from 8 days ago due today, from 10 days ago late. `quiet` has nothing due.
  await addTest(busy, 7);
  await addTest(busy, 8);
  expect(await finding()).toMatchObject({ status: "ok" });
  await addTest(busy, 10);
  expect(await finding()).toMatchObject({ status: "warning", detail: expect.stringMatching(/ due for 2 days$/) });
  await archive();
  expect(await finding()).toMatchObject({ status: "ok", detail: expect.stringContaining(" 3 batches") });

  // The finding reports the oldest due rows of both services.
  await addTrace(busy, 12);
  await addTest(quiet, 10);
  expect(await finding()).toMatchObject({ status: "warning", detail: expect.stringMatching(/ due for 4 days$/) });
  await archive();
  expect(await finding()).toMatchObject({ status: "ok", detail: expect.stringContaining(" 5 batches") });
});
