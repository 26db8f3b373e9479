import { serviceDataSource } from "@ems/kit/db/data-source";
import { Database } from "@ems/kit/db/database";
import { readQueues } from "@ems/kit/db/queue";
import { RelayDatabase } from "@ems/kit/db/relay-database";
import { newId } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import { testDatabase } from "@ems/test-support";
import { queueSuite } from "@ems/test-support/queue-suite";
import { afterAll, expect, inject, test } from "vitest";
import { completionQueue } from "./completion/index.ts";
import { tracesSchema } from "./schema.ts";
import { indexJobs } from "./search/index-jobs.ts";
import { claimJobs, searchQueue } from "./search/jobs.ts";

const server = await testDatabase(inject("postgres"));
const { sql } = server;
const log = createLog("traces", "silent");
const dataSource = serviceDataSource({ url: server.getUrl(tracesSchema), poolMax: 4, schema: tracesSchema, log });
await dataSource.initialize();
const database = new Database(dataSource);
const open = () => new RelayDatabase({ schema: tracesSchema, url: server.getRelayUrl(tracesSchema), poolMax: 2, log });
const relays = [open(), open()] as const;
afterAll(async () => {
  await Promise.all([dataSource.destroy(), ...relays.map((relay) => relay.close())]);
  await server.drop();
});

/** Functions with which the queue suite reads and changes a table with this id column. */
const toRow = (table: string, id: string) => ({
  clear: () => sql(`TRUNCATE traces.${table}`),
  row: async (value: string) => (await sql(`SELECT * FROM traces.${table} WHERE ${id} = $1`, [value]))[0],
  expire: (value: string) =>
    sql(`UPDATE traces.${table} SET leased_until = now() - interval '1 second' WHERE ${id} = $1`, [value]),
  lock: (value: string) => server.lock(`SELECT FROM traces.${table} WHERE ${id} = $1 FOR UPDATE`, [value]),
});
/** Inserts a row of a new application and returns its id; the values of `columns` are SQL expressions. */
async function insert(table: string, id: string, columns: Readonly<Record<string, string>>): Promise<string> {
  const value = newId();
  await sql(
    `INSERT INTO traces.${table} (application_id, org_id, ${id}, ${Object.keys(columns).join(", ")})
     VALUES (gen_random_uuid(), 'org', $1, ${Object.values(columns).join(", ")})`,
    [value],
  );
  return value;
}

queueSuite<Awaited<ReturnType<typeof claimJobs>>[number][number]>("the search's index", {
  ...toRow("search_job", "id"),
  // Safe to finish late: words are added to a set, so indexing a step twice has no effect.
  late: "finish",
  add: () => insert("search_job", "id", { trace_ids: "'{}'", positions: "'{}'", bytes: "0" }),
  claim: async (worker) => (await claimJobs(relays[worker])).flat(),
  finish: (_, job) => indexJobs(database, [job]),
});

queueSuite("traces to complete", {
  ...toRow("trace_settling", "trace_id"),
  late: "nothing",
  add: () => insert("trace_settling", "trace_id", { has_root: "true", due_at: "now() - interval '1 second'" }),
  claim: async (worker) => {
    const claimed = await completionQueue.on(relays[worker]).claim({ rowsMax: 5, leaseMs: 60_000 });
    return claimed.map((trace) => ({ ...trace, id: trace.traceId }));
  },
});

const indexLag = async () => {
  const [state] = await readQueues([searchQueue], (statements) => relays[0].batch(statements));
  return state?.lagSeconds;
};

test("the lag is the age of the index's oldest job, and 0 without jobs", async () => {
  await sql("TRUNCATE traces.search_job");
  expect(await indexLag()).toBe(0);
  const job = { trace_ids: "'{}'", positions: "'{}'", bytes: "0" };
  await insert("search_job", "id", { ...job, queued_at: "now() - interval '10 minutes'" });
  await insert("search_job", "id", { ...job, queued_at: "now() - interval '1 minute'" });
  const lag = await indexLag();
  expect(lag).toBeGreaterThanOrEqual(600);
  expect(lag).toBeLessThan(1_000);
  await sql("UPDATE traces.search_job SET queued_at = now() + interval '1 hour'");
  expect(await indexLag()).toBe(0);
});
