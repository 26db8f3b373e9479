import { RelayDatabase } from "@ems/kit/db/relay-database";
import { newId } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import { testDatabase } from "@ems/test-support";
import { queueSuite } from "@ems/test-support/queue-suite";
import { afterAll, expect, inject, test } from "vitest";
import { erasureQueue, erasureWorkQueue } from "./lifecycle/erasures/queue.ts";
import { confirmDocumentTests, documentTestQueue, type OfferedTest } from "./runs/document-tests/offers.ts";
import { type ClaimedWork, confirmWork, deadlineQueue, formatClaim, workQueue } from "./runs/execution/work.ts";
import { experimentsSchema } from "./schema.ts";

const server = await testDatabase(inject("postgres"));
const { sql } = server;
const log = createLog("experiments", "silent");
const open = () =>
  new RelayDatabase({ schema: experimentsSchema, url: server.getRelayUrl(experimentsSchema), poolMax: 2, log });
const relays = [open(), open()] as const;
afterAll(async () => {
  await Promise.all(relays.map((relay) => relay.close()));
  await server.drop();
});

const query = { rowsMax: 5, leaseMs: 60_000 };
/** Functions with which the suite reads and changes a table; `lease` is the column with the end of the lease. */
const buildAccess = (table: string, id: string, lease: string) => ({
  clear: () => sql(`TRUNCATE experiments.${table} CASCADE`),
  row: async (value: string) => (await sql(`SELECT * FROM experiments.${table} WHERE ${id} = $1`, [value]))[0],
  expire: (value: string) =>
    sql(`UPDATE experiments.${table} SET ${lease} = now() - interval '1 second' WHERE ${id} = $1`, [value]),
  lock: (value: string) => server.lock(`SELECT FROM experiments.${table} WHERE ${id} = $1 FOR UPDATE`, [value]),
});
/** Inserts a row of a new application and returns its id; the values of `columns` are SQL expressions. */
async function insert(table: string, id: string, columns: Readonly<Record<string, string>>): Promise<string> {
  const value = newId();
  await sql(
    `INSERT INTO experiments.${table} (application_id, org_id, ${id}, ${Object.keys(columns).join(", ")})
     VALUES (gen_random_uuid(), 'org', $1, ${Object.values(columns).join(", ")})`,
    [value],
  );
  return value;
}
const due = "now() - interval '1 second'";
const named = <Job>(jobs: readonly Job[], id: keyof Job) => jobs.map((job) => ({ ...job, id: String(job[id]) }));

const execution = (state: string) => ({
  ...buildAccess("test_execution", "test_id", "due_at"),
  add: () =>
    insert("test_execution", "test_id", {
      run_id: "gen_random_uuid()",
      created_at: "now()",
      state: `'${state}'`,
      due_at: due,
      definitions: "'[]'",
      evaluations: "'[]'",
    }),
});
for (const [name, state] of [
  ["prompts to write", "prompt"],
  ["evaluations to judge", "judge"],
] as const) {
  queueSuite<ClaimedWork & { readonly id: string }>(name, {
    ...execution(state),
    late: "nothing",
    claim: async (worker) => named(await workQueue.on(relays[worker]).claim(query), "testId"),
    finish: (worker, work) => confirmWork(relays[worker], [formatClaim(work)]),
  });
}
for (const state of ["delivery", "trace"]) {
  queueSuite(`deadlines of the state ${state}`, {
    ...execution(state),
    late: "nothing",
    claim: async (worker) => named(await deadlineQueue.on(relays[worker]).claim(query), "testId"),
  });
}

queueSuite<OfferedTest>("document tests", {
  ...buildAccess("document_test", "id", "due_at"),
  late: "nothing",
  add: () =>
    insert("document_test", "id", {
      type: "'MECE'",
      status: "'PENDING'",
      due_at: due,
      created_at: "now()",
      modified_at: "now()",
    }),
  claim: (worker) => documentTestQueue.on(relays[worker]).claim(query),
  finish: (worker, { applicationId, id, attempt }) =>
    confirmDocumentTests(relays[worker], [[applicationId], [id], [String(attempt)]]),
});

queueSuite("erasures of end users", {
  ...buildAccess("erasure", "id", "due_at"),
  late: "nothing",
  add: () =>
    insert("erasure", "id", {
      end_user_key: "gen_random_uuid()",
      status: "'RUNNING'",
      due_at: due,
      created_at: "now()",
      modified_at: "now()",
    }),
  claim: (worker) => erasureQueue.on(relays[worker]).claim(query),
});

queueSuite("erasures by other services", {
  ...buildAccess("erasure_work", "id", "due_at"),
  late: "nothing",
  add: () =>
    insert("erasure_work", "id", {
      erasure_id: "gen_random_uuid()",
      service: "'NOTIFICATIONS'",
      due_at: due,
      trace_ids: "'{}'",
      test_ids: "'{}'",
      subject_ids: "'{}'",
    }),
  claim: (worker) => erasureWorkQueue.on(relays[worker]).claim({ ...query, lane: "NOTIFICATIONS" }),
});

test("a service claims only its own erasures", async () => {
  const id = await insert("erasure_work", "id", {
    erasure_id: "gen_random_uuid()",
    service: "'EVALUATION'",
    due_at: due,
    trace_ids: "'{}'",
    test_ids: "'{}'",
    subject_ids: "'{}'",
  });
  const claimed = async (lane: string) =>
    (await erasureWorkQueue.on(relays[0]).claim({ ...query, lane })).map((work) => work.id);
  expect(await claimed("CATALOG")).not.toContain(id);
  expect(await claimed("EVALUATION")).toEqual([id]);
});
