import { testDatabase } from "@ems/test-support";
import { queueSuite } from "@ems/test-support/queue-suite";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { newId } from "../../id.ts";
import { createLog } from "../../log.ts";
import { RelayDatabase } from "../relay-database.ts";
import { relayRole } from "../schema.ts";
import { type ClaimQuery, defineQueue } from "./define-queue.ts";
import { readQueues } from "./state.ts";
import { firstApplication } from "./statements.ts";

const schema = { name: "catalog" };
const server = await testDatabase(inject("postgres"));
const relays = [0, 1].map(
  () => new RelayDatabase({ schema, url: server.getRelayUrl(schema), poolMax: 2, log: createLog("test", "silent") }),
);
afterAll(async () => {
  await Promise.all(relays.map((relay) => relay.close()));
  await server.drop();
});
await server.sql(`
  CREATE TABLE catalog.job (
    application_id uuid NOT NULL,
    part uuid NOT NULL,
    name text NOT NULL,
    is_large boolean NOT NULL DEFAULT false,
    next_attempt_at timestamptz(3),
    leased_until timestamptz(3),
    attempts integer NOT NULL DEFAULT 0,
    result text,
    PRIMARY KEY (application_id, part, name)
  );
  CREATE INDEX job_due ON catalog.job (is_large, application_id, next_attempt_at) WHERE next_attempt_at IS NOT NULL;
  GRANT SELECT, UPDATE ON catalog.job TO ${relayRole(schema)};
`);
beforeEach(() => server.sql("TRUNCATE catalog.job"));

interface Row {
  readonly attempts: number;
}
const queue = defineQueue<Row, "part" | "name">({
  name: "catalog.jobs",
  table: "catalog.job",
  lane: "is_large",
  key: { part: "uuid", name: "text" },
  columns: ["attempts"],
  onClaim: "attempts = attempts + 1",
  attempts: "attempts",
  fairness: "applications",
});
const [first, second] = relays.map((relay) => queue.on(relay));
if (first === undefined || second === undefined) throw new Error("two workers are missing");
const workers = [first, second] as const;

const leaseMs = 60_000;
const query: ClaimQuery = {
  lane: false,
  leaseMs,
  rowsMax: 5,
  perApplicationMax: 5,
  running: new Map(),
  blocked: [],
  after: firstApplication,
};
const claim = (overrides: Partial<ClaimQuery> = {}, jobs = first) =>
  jobs.claim({ ...query, now: new Date(), ...overrides });

const toKey = (id: string) => id.split("/");
const row = async (id: string) => {
  const [found] = await server.sql(
    "SELECT * FROM catalog.job WHERE application_id = $1 AND part = $2 AND name = $3",
    toKey(id),
  );
  return found;
};
async function add(applicationId = newId(), { dueInMs = -1_000, isLarge = false, part = newId(), name = "a" } = {}) {
  await server.sql(
    `INSERT INTO catalog.job (application_id, part, name, is_large, next_attempt_at)
     VALUES ($1, $2, $3, $4, now() + $5 * interval '1 ms')`,
    [applicationId, part, name, isLarge, dueInMs],
  );
  return `${applicationId}/${part}/${name}`;
}

const toId = (job: { readonly applicationId: string; readonly part: string; readonly name: string }) =>
  `${job.applicationId}/${job.part}/${job.name}`;

queueSuite("a queue that rotates among applications", {
  late: "nothing",
  clear: () => server.sql("TRUNCATE catalog.job"),
  add: () => add(),
  claim: async (worker) => (await claim({}, workers[worker])).map((job) => ({ ...job, id: toId(job) })),
  async renew(worker, jobs) {
    const renewed = await workers[worker].renew(jobs, leaseMs);
    return renewed.map((job) => ({ attempts: 0, ...job, id: toId(job) }));
  },
  finish: (worker, job) =>
    workers[worker].change("finish", [job], "next_attempt_at = NULL, leased_until = NULL, result = v.c1", [
      { type: "text", of: ["done"] },
    ]),
  release: (worker, job) =>
    workers[worker].change("release", [job], "next_attempt_at = v.c1, leased_until = NULL", [
      { type: "timestamptz", of: [new Date()] },
    ]),
  row,
  expire: (id) =>
    server.sql(
      `UPDATE catalog.job SET leased_until = date_trunc('milliseconds', now()) - interval '1 ms'
       WHERE application_id = $1 AND part = $2 AND name = $3`,
      toKey(id),
    ),
  lock: (id) =>
    server.lock("SELECT FROM catalog.job WHERE application_id = $1 AND part = $2 AND name = $3 FOR UPDATE", toKey(id)),
});

test("a change affects only the named jobs and returns how many still had their lease", async () => {
  const [applicationId, part] = [newId(), newId()];
  const ids = [
    await add(applicationId, { part, name: "a" }),
    await add(applicationId, { part, name: "b" }),
    await add(applicationId, { part: newId(), name: "a" }),
    await add(newId(), { part, name: "a" }),
  ];
  const claimed = await claim();
  expect(claimed.map(toId).toSorted()).toEqual(ids.toSorted());
  const byId = new Map(claimed.map((job) => [toId(job), job]));
  const [a, b] = ids.map((id) => byId.get(id));
  if (a === undefined || b === undefined) throw new Error("jobs are missing");
  const stale = { ...b, leasedUntil: new Date(b.leasedUntil.getTime() + 1) };
  const results = [{ type: "text", of: ["of a", "of b"] }];
  expect(await first.change("end", [a, stale], "result = v.c1", results)).toBe(1);
  const stored = await Promise.all(ids.map(row));
  expect(stored.map((each) => each?.result)).toEqual(["of a", null, null, null]);
  expect((await first.renew([a, stale], leaseMs)).map(toId)).toEqual([toId(a)]);
  expect(await first.change("end", [], "result = 'none'")).toBe(0);
  expect(await first.renew([], leaseMs)).toEqual([]);
});

test("a lease lasts for the requested time by PostgreSQL's clock, and a claim counts as an attempt", async () => {
  const id = await add();
  const lasts = `SELECT extract(epoch FROM leased_until - now())::float8 * 1000 AS ms, attempts FROM catalog.job`;
  const [claimed] = await claim({ leaseMs: 20_000, now: new Date(Date.now() + 3_600_000) });
  const [stored] = await server.sql<{ ms: number; attempts: number }>(lasts);
  expect([claimed?.attempts, stored?.attempts]).toEqual([1, 1]);
  expect(stored?.ms).toBeGreaterThan(10_000);
  expect(stored?.ms).toBeLessThanOrEqual(20_000);
  const [renewed] = claimed === undefined ? [] : await first.renew([claimed], 100_000);
  const [extended] = await server.sql<{ ms: number; attempts: number }>(lasts);
  expect(extended?.attempts).toBe(1);
  expect(extended?.ms).toBeGreaterThan(90_000);
  expect(renewed?.leasedUntil).toEqual((await row(id))?.leased_until);
});

test("jobs that are not due, ended, blocked or in another lane are not claimed", async () => {
  const blocked = newId();
  await add(newId(), { dueInMs: 60_000 });
  await add(newId(), { isLarge: true });
  await add(blocked);
  const ended = await add();
  await server.sql("UPDATE catalog.job SET next_attempt_at = NULL WHERE application_id = $1", [toKey(ended)[0]]);
  expect(await claim({ blocked: [blocked] })).toEqual([]);
  expect(await claim({ lane: true })).toHaveLength(1);
  expect((await claim()).map(({ applicationId }) => applicationId)).toEqual([blocked]);
  expect(await claim({ now: new Date(Date.now() + 120_000) })).toHaveLength(1);
});

test("applications with fewer running jobs come first; equals rotate after the last one", async () => {
  const [a, b, c] = [newId(), newId(), newId()].toSorted() as [string, string, string];
  for (const applicationId of [a, b, c]) for (const name of ["1", "2", "3"]) await add(applicationId, { name });
  const applications = async (overrides: Partial<ClaimQuery>) => {
    const claimed = await claim(overrides);
    await server.sql("UPDATE catalog.job SET leased_until = NULL");
    return claimed.map(({ applicationId }) => applicationId).toSorted();
  };
  expect(await applications({ rowsMax: 3 })).toEqual([a, b, c]);
  expect(await applications({ rowsMax: 9, perApplicationMax: 2 })).toEqual([a, a, b, b, c, c]);
  expect(await applications({ rowsMax: 1 })).toEqual([a]);
  expect(await applications({ rowsMax: 1, after: a })).toEqual([b]);
  expect(await applications({ rowsMax: 2, after: b })).toEqual([a, c]);
  expect(await applications({ rowsMax: 2, running: new Map([[a, 1]]) })).toEqual([b, c]);
  expect(await applications({ rowsMax: 4, running: new Map([[b, 5]]) })).toEqual([a, a, c, c]);
});

test("an application's oldest due job is claimed first", async () => {
  const applicationId = newId();
  await add(applicationId, { name: "newer", dueInMs: -1_000 });
  await add(applicationId, { name: "older", dueInMs: -60_000 });
  expect((await claim({ rowsMax: 1 })).map(({ name }) => name)).toEqual(["older"]);
  expect((await claim({ rowsMax: 1 })).map(({ name }) => name)).toEqual(["newer"]);
});

test("without a cursor the application with the oldest due job comes first, by PostgreSQL's clock", async () => {
  const [a, b, c] = [newId(), newId(), newId()].toSorted() as [string, string, string];
  await add(a, { dueInMs: -1_000 });
  await add(b, { dueInMs: -3_000 });
  await add(c, { dueInMs: -2_000 });
  const next = async () => {
    const [job] = await first.claim({ lane: false, leaseMs, rowsMax: 1 });
    return job?.applicationId;
  };
  expect([await next(), await next(), await next(), await next()]).toEqual([b, c, a, undefined]);
});

test("concurrent claims take different jobs of one application", async () => {
  const applicationId = newId();
  for (const name of ["1", "2", "3", "4"]) await add(applicationId, { name });
  const release = await server.lock("SELECT FROM catalog.job WHERE name IN ('1', '2') FOR UPDATE", []);
  const left = await claim({ rowsMax: 2 });
  await release();
  expect(left.map(({ name }) => name).toSorted()).toEqual(["3", "4"]);
});

describe("a queue without lanes whose due time is its lease", () => {
  const simple = defineQueue<{ readonly note: string }>({
    name: "catalog.simple_jobs",
    table: "catalog.simple_job",
    due: "due_at",
    order: "queued_at",
    size: { column: "bytes", max: 100 },
    columns: ["note"],
    fairness: "oldest",
  });
  const [jobs] = relays.map((relay) => simple.on(relay));
  if (jobs === undefined) throw new Error("a worker is missing");
  const insert = (note: string, bytes: number, queued: string, due = "-infinity") =>
    server.sql(
      `INSERT INTO catalog.simple_job VALUES (gen_random_uuid(), gen_random_uuid(), $1, now() + $2::interval, $3, $4)`,
      [due, queued, bytes, note],
    );
  beforeAll(() =>
    server.sql(`
      CREATE TABLE catalog.simple_job (application_id uuid NOT NULL, id uuid NOT NULL, due_at timestamptz(3),
        queued_at timestamptz(3), bytes integer, note text, PRIMARY KEY (application_id, id));
      GRANT SELECT, UPDATE ON catalog.simple_job TO ${relayRole(schema)}`),
  );
  beforeEach(() => server.sql("TRUNCATE catalog.simple_job"));

  test("is claimed in order up to a total size; a larger job is claimed alone", async () => {
    const notes = async () => (await jobs.claim({ leaseMs, rowsMax: 10 })).map(({ note }) => note).toSorted();
    await insert("third", 10, "-1 s");
    await insert("second", 60, "-2 s");
    await insert("first", 50, "-3 s");
    await insert("large", 1_000, "1 s");
    await insert("later", 1, "-9 s", "infinity");
    expect(await notes()).toEqual(["first", "second"]);
    expect(await notes()).toEqual(["large", "third"]);
    await insert("large", 1_000, "-1 s");
    await insert("small", 1, "0 s");
    expect(await notes()).toEqual(["large"]);
    expect(await jobs.claim({ leaseMs, rowsMax: 0 })).toEqual([]);
  });

  test("renews a lease, which is also the due time, by its token", async () => {
    await insert("noted", 1, "0 s");
    const claimed = await jobs.claim({ leaseMs, rowsMax: 1 });
    expect(claimed).toMatchObject([{ note: "noted" }]);
    const [renewed] = await jobs.renew(claimed, 2 * leaseMs);
    expect(renewed?.id).toBe(claimed[0]?.id);
    expect((await server.sql("SELECT due_at FROM catalog.simple_job"))[0]?.due_at).toEqual(renewed?.leasedUntil);
  });
});

test("the state of a queue has due and leased jobs, the longest wait and the most attempts", async () => {
  const state = async (paused: readonly string[] = []) => {
    const [found] = await readQueues(
      [queue],
      (statements) => relays[0]?.batch(statements) ?? Promise.resolve([]),
      () => paused,
    );
    return found;
  };
  expect(await state()).toEqual({
    name: "catalog.jobs",
    lateMs: 60_000,
    due: 0,
    leased: 0,
    lagSeconds: 0,
    attempts: null,
  });
  const paused = newId();
  await add(newId(), { dueInMs: -900_000 });
  await claim();
  await add(newId(), { dueInMs: -60_000 });
  await add(newId(), { dueInMs: 60_000 });
  await add(paused, { dueInMs: -300_000 });
  expect(await state()).toMatchObject({ due: 2, leased: 1, attempts: 1 });
  expect((await state())?.lagSeconds).toBeCloseTo(300, -1);
  expect(await state([paused])).toMatchObject({ due: 1, leased: 1 });
  expect((await state([paused]))?.lagSeconds).toBeCloseTo(60, -1);
});
