import { serviceDataSource } from "@ems/kit/db/data-source";
import { Database } from "@ems/kit/db/database";
import { firstApplication } from "@ems/kit/db/queue";
import { RelayDatabase } from "@ems/kit/db/relay-database";
import { newId } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import { testDatabase } from "@ems/test-support";
import { queueSuite } from "@ems/test-support/queue-suite";
import { afterAll, expect, inject, test } from "vitest";
import { addJobs, finish, type Job, jobQueue, park } from "./jobs/store.ts";
import { type DueSchedule, scheduleQueue } from "./schedules/queue.ts";
import { advanceSchedule } from "./schedules/scheduler.ts";
import { evaluationSchema } from "./schema.ts";

const server = await testDatabase(inject("postgres"));
const { sql } = server;
const log = createLog("evaluation", "silent");
const url = server.getUrl(evaluationSchema);
const dataSource = serviceDataSource({ url, poolMax: 4, schema: evaluationSchema, log });
await dataSource.initialize();
const database = new Database(dataSource);
const open = () =>
  new RelayDatabase({ schema: evaluationSchema, url: server.getRelayUrl(evaluationSchema), poolMax: 2, log });
const relays = [open(), open()] as const;
afterAll(async () => {
  await Promise.all([dataSource.destroy(), ...relays.map((relay) => relay.close())]);
  await server.drop();
});

const query = { rowsMax: 5, perApplicationMax: 5, running: new Map(), blocked: [], after: firstApplication };
const jobs = [jobQueue.on(relays[0]), jobQueue.on(relays[1])] as const;
for (const needsModel of [false, true]) {
  queueSuite<Job>(needsModel ? "jobs that need a model" : "jobs that need no model", {
    late: "nothing",
    clear: () => sql("TRUNCATE evaluation.job"),
    async add() {
      const [id, due] = [newId(), new Date(Date.now() - 1_000)];
      const job = { applicationId: newId(), id, orgId: "org", kind: "JUDGE", testId: id, needsModel } as const;
      await addJobs(relays[0], due, [job]);
      return id;
    },
    claim: (worker) => jobs[worker].claim({ ...query, lane: needsModel, now: new Date(), leaseMs: 60_000 }),
    renew: async (worker, held) => {
      const renewed = await jobs[worker].renew(held, 60_000);
      return held.flatMap((job) => {
        const lease = renewed.find(({ id }) => id === job.id);
        return lease === undefined ? [] : { ...job, leasedUntil: lease.leasedUntil };
      });
    },
    finish: (worker, job) => finish(jobs[worker], [job], new Date()),
    release: (worker, job) =>
      park(jobs[worker], [{ job, at: new Date(), waitingFor: "late", attempts: 7, consumed: null, replies: null }]),
    row: async (id) => (await sql("SELECT * FROM evaluation.job WHERE id = $1", [id]))[0],
    expire: (id) => sql("UPDATE evaluation.job SET leased_until = now() - interval '1 second' WHERE id = $1", [id]),
    lock: (id) => server.lock("SELECT FROM evaluation.job WHERE id = $1 FOR UPDATE", [id]),
  });
}

const schedules = { rowsMax: 20, leaseMs: 60_000 };
queueSuite<DueSchedule & { readonly id: string }>("schedules", {
  // Safe to finish late: the run's id is derived from the schedule's time, so a second process starts no second run.
  late: "finish",
  clear: () => sql("TRUNCATE evaluation.task_schedule"),
  async add() {
    const id = newId();
    await sql(
      `INSERT INTO evaluation.task_schedule (application_id, task_id, org_id, cron, timezone, criticality, next_run_at,
         created_at, modified_at)
       VALUES (gen_random_uuid(), $1, 'org', '0 7 * * *', 'UTC', 'HIGH', now() - interval '1 second', now(), now())`,
      [id],
    );
    return id;
  },
  claim: async (worker) =>
    (await scheduleQueue.on(relays[worker]).claim(schedules)).map((due) => ({ ...due, id: due.taskId })),
  finish: (_, due) => advanceSchedule({ database }, due, true),
  row: async (id) =>
    (await sql("SELECT next_run_at, leased_until FROM evaluation.task_schedule WHERE task_id = $1", [id]))[0],
  expire: (id) =>
    sql("UPDATE evaluation.task_schedule SET leased_until = now() - interval '1 second' WHERE task_id = $1", [id]),
  lock: (id) => server.lock("SELECT FROM evaluation.task_schedule WHERE task_id = $1 FOR UPDATE", [id]),
});

test("a process that resumes late skips neither the time that is due by then nor one of a new schedule", async () => {
  const id = newId();
  await sql("TRUNCATE evaluation.task_schedule");
  await sql(
    `INSERT INTO evaluation.task_schedule (application_id, task_id, org_id, cron, timezone, criticality, next_run_at,
       created_at, modified_at)
     VALUES (gen_random_uuid(), $1, 'org', '0 7 * * *', 'UTC', 'HIGH', now() - interval '1 day', now(), now())`,
    [id],
  );
  const [late] = await scheduleQueue.on(relays[0]).claim(schedules);
  if (late === undefined) throw new Error("the schedule is not due");
  const nextRun = async () =>
    (await sql<{ next_run_at: Date }>("SELECT next_run_at FROM evaluation.task_schedule"))[0]?.next_run_at;
  const changeTo = async (set: string) => {
    await sql(`UPDATE evaluation.task_schedule SET ${set}`);
    return nextRun();
  };
  // Another process has run the schedule, and its next time is due.
  const nextDue = await changeTo("next_run_at = now() - interval '1 second'");
  await advanceSchedule({ database }, late, true);
  expect(await nextRun()).toEqual(nextDue);
  for (const set of ["cron = '30 9 * * *'", "cron = '0 7 * * *', timezone = 'Europe/Copenhagen'"]) {
    await sql("UPDATE evaluation.task_schedule SET next_run_at = $1", [late.nextRunAt]);
    const changed = await changeTo(set);
    await advanceSchedule({ database }, late, true);
    expect(await nextRun()).toEqual(changed);
  }
});
