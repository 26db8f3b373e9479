// Jobs that wait for a paused connection continue when the pause ends, even if it ends while they are being parked.

import { newId } from "@ems/kit/id";
import { testTenant } from "@ems/test-support";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { jobsHarness } from "../../test/jobs-harness.ts";
import type { Connection, Connections } from "../jobs/connections.ts";
import { resumeJobs } from "../jobs/resume.ts";
import type { JobWorker } from "../jobs/worker.ts";
import { resumeIfOver } from "./index.ts";

const harness = await jobsHarness();
const { add, clock, connection, ended, outcomes, own, sql, start } = harness;
let worker: JobWorker | undefined;

beforeEach(async () => {
  await sql("TRUNCATE evaluation.job, evaluation.model_connection");
  outcomes.length = 0;
});
afterEach(() => worker?.stop());

const until = (condition: () => unknown) => vi.waitFor(async () => expect(await condition()).toBe(true), 30_000);
const ok = async () => undefined;

/** Creates a paused connection; returns its row and the form that jobs use. */
async function paused(tenant = testTenant()) {
  const found = connection(ok, { pauseReason: "HTTP 401" });
  await insert(tenant, found.id);
  await sql("UPDATE evaluation.model_connection SET paused_at = now(), pause_reason = 'HTTP 401'");
  return { tenant, found };
}

const insert = ({ applicationId, orgId }: ReturnType<typeof testTenant>, id: string, isDefault = false) =>
  sql(
    `INSERT INTO evaluation.model_connection (application_id, id, org_id, name, provider, model, api_key, is_default, created_at,
       modified_at) VALUES ($1, $2, $3, 'Test', 'openai', 'm', '', $4, now(), now())`,
    [applicationId, id, orgId, isDefault],
  );

/** Returns, on the first look-up, the connection from before the end of its pause. */
const late = (found: Connection, onFind: () => Promise<void>): Connections => {
  let finds = 0;
  return {
    find: async () => {
      finds++;
      if (finds === 1) await onFind();
      return finds === 1 ? found : { ...found, pauseReason: undefined };
    },
    succeeded: async () => undefined,
    failed: async () => false,
  };
};

const endPause = () => sql("UPDATE evaluation.model_connection SET paused_at = NULL, pause_reason = NULL");

test("a job that parks after the pause ended continues at once", async () => {
  const { tenant, found } = await paused();
  await add(1, tenant);
  worker = start(
    found,
    undefined,
    late(found, async () => void (await endPause())),
  );
  await until(() => ended().length === 1);
});

test("a job that parks while the pause ends continues afterwards", async () => {
  const { tenant, found } = await paused();
  await add(1, tenant);
  const { applicationId } = tenant;
  const [changed, parked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const endingPause = own.withScope(tenant, Date.now() + 30_000, async (tx) => {
    await tx.query("UPDATE evaluation.model_connection SET paused_at = NULL, pause_reason = NULL WHERE id = $1", [
      found.id,
    ]);
    resumeJobs(tx, applicationId, "model_connection", clock.now());
    await tx.query("SELECT");
    changed.resolve();
    await parked.promise;
  });
  worker = start(
    found,
    undefined,
    late(found, () => changed.promise),
  );
  const waiting = "SELECT FROM evaluation.job WHERE waiting_for = 'model_connection' AND leased_until IS NULL";
  await until(async () => (await sql(waiting)).length === 1);
  const locked = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  await until(async () => (await sql(locked)).length === 1);
  parked.resolve();
  await endingPause;
  await until(() => ended().length === 1);
});

test("a job that parks before another connection replaces the paused one continues", async () => {
  const { tenant, found } = await paused();
  await add(1, tenant);
  worker = start(
    found,
    undefined,
    late(found, async () => void (await insert(tenant, newId(), true))),
  );
  await until(() => ended().length === 1);
});

test("jobs of a connection that stays paused are not due", async () => {
  const { tenant, found } = await paused();
  await add(1, tenant);
  await sql("UPDATE evaluation.job SET waiting_for = 'model_connection', next_attempt_at = $1", [
    new Date(clock.now().getTime() + 600_000),
  ]);
  await resumeIfOver(own, tenant, { waitingFor: "model_connection", setting: null, connection: found }, clock.now());
  const due = () => sql("SELECT FROM evaluation.job WHERE next_attempt_at <= $1", [clock.now()]);
  expect(await due()).toEqual([]);
  await endPause();
  await resumeIfOver(own, tenant, { waitingFor: "model_connection", setting: null, connection: found }, clock.now());
  expect(await due()).toHaveLength(1);
});
