import { readQueues } from "@ems/kit/db/queue";
import { RelayDatabase } from "@ems/kit/db/relay-database";
import { newId } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import { testDatabase, testTenant } from "@ems/test-support";
import pg from "pg";
import { afterAll, expect, inject, test } from "vitest";
import { tracesSchema } from "../schema.ts";
import { completionQueue } from "./claim-completed-traces.ts";

const database = await testDatabase(inject("postgres"));
const url = database.getRelayUrl(tracesSchema);
const log = createLog("traces", "silent");
const relay = new RelayDatabase({ schema: tracesSchema, url, poolMax: 2, log });
afterAll(async () => {
  await relay.close();
  await database.drop();
});

const claimTraces = () => completionQueue.on(relay).claim({ rowsMax: 100, leaseMs: 30_000 });
const addDueTraces = async (count: number, dueAgo: string) => {
  const { applicationId, orgId } = testTenant();
  await database.sql(
    `INSERT INTO traces.trace_settling (application_id, trace_id, org_id, has_root, due_at)
     SELECT $1, id, $2, true, now() - $3::interval FROM unnest($4::uuid[]) id`,
    [applicationId, orgId, dueAgo, Array.from({ length: count }, newId)],
  );
  return applicationId;
};

test("an application with many overdue traces does not delay others, and each trace is claimed once", async () => {
  const many = await addDueTraces(350, "1 hour");
  const few = await addDueTraces(2, "1 second");
  const early = await addDueTraces(3, "-1 hour");
  const [state] = await readQueues([completionQueue], (statements) => relay.batch(statements));
  expect(state).toMatchObject({ due: 352, leased: 0, attempts: null });
  expect(state?.lagSeconds).toBeGreaterThanOrEqual(3_600);
  const claims = [];
  for (let claimed = await claimTraces(); claimed.length > 0; claimed = await claimTraces()) claims.push(claimed);
  const counts = claims.map((claim) => {
    const byApplication = Map.groupBy(claim, ({ applicationId }) => applicationId);
    return new Map([...byApplication].map(([id, due]) => [id, due.length]));
  });
  expect(counts[0]).toEqual(
    new Map([
      [many, 98],
      [few, 2],
    ]),
  );
  expect(counts.map((count) => count.get(many))).toEqual([98, 100, 100, 52]);
  expect(counts.some((count) => count.has(early))).toBe(false);
  expect(new Set(claims.flat().map(({ traceId }) => traceId)).size).toBe(352);
});

test("within an application, the trace that has been due longest is claimed first", async () => {
  const applicationId = await addDueTraces(1, "1 minute");
  // Ids are in the order of creation, so traces that have been due longer are created later.
  for (const dueAgo of ["3 minutes", "2 minutes"]) {
    await database.sql(
      `INSERT INTO traces.trace_settling (application_id, trace_id, org_id, has_root, due_at)
       VALUES ($1, $2, 'o', true, now() - $3::interval)`,
      [applicationId, newId(), dueAgo],
    );
  }
  const stored = await database.sql(
    "SELECT trace_id AS id FROM traces.trace_settling WHERE application_id = $1 ORDER BY due_at",
    [applicationId],
  );
  const ids: string[] = [];
  for (let index = 0; index < stored.length; index++) {
    const [claimed] = await completionQueue.on(relay).claim({ rowsMax: 1, leaseMs: 30_000 });
    ids.push(claimed?.traceId ?? "");
  }
  expect(ids).toEqual(stored.map(({ id }) => id));
});

test("a trace that another process claims in the meantime is not claimed twice", async () => {
  const applicationId = await addDueTraces(1, "1 second");
  // The claim pauses at the first row that it reads, so its view of leases is outdated when it goes on.
  await database.sql(
    `CREATE FUNCTION public.wait_at_gate() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
       PERFORM pg_advisory_lock_shared(7);
       PERFORM pg_advisory_unlock_shared(7);
       RETURN true;
     END $$`,
  );
  await database.sql(
    "CREATE POLICY gate ON traces.trace_settling AS RESTRICTIVE TO ems_traces_relay USING (public.wait_at_gate())",
  );
  const gate = new pg.Client({ connectionString: database.superuserUrl });
  await gate.connect();
  try {
    await gate.query("SELECT pg_advisory_lock(7)");
    const late = claimTraces();
    await expect
      .poll(() =>
        database.sql("SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'"),
      )
      .toHaveLength(1);
    await database.sql(
      "UPDATE traces.trace_settling SET leased_until = now() + interval '30 s' WHERE application_id = $1",
      [applicationId],
    );
    await gate.query("SELECT pg_advisory_unlock(7)");
    expect((await late).filter((due) => due.applicationId === applicationId)).toEqual([]);
  } finally {
    await gate.end();
    await database.sql("DROP POLICY gate ON traces.trace_settling");
  }
});
