import { firstApplication } from "@ems/kit/db/queue";
import { RelayDatabase } from "@ems/kit/db/relay-database";
import { newId } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import { testDatabase } from "@ems/test-support";
import { queueSuite, type Worker } from "@ems/test-support/queue-suite";
import { afterAll, expect, inject, test } from "vitest";
import { type Claimed, claim, renew } from "./deliveries/worker/claim.ts";
import { released } from "./deliveries/worker/next-state.ts";
import { Recorder } from "./deliveries/worker/recorder.ts";
import { claimRequested } from "./feedback/resender.ts";
import { type ClaimedJob, finish, mailQueue, reschedule } from "./mail/jobs.ts";
import { type ClaimedOutcome, forget, outcomeQueue, retryAt } from "./prompts/outcomes.ts";
import { notificationsSchema } from "./schema.ts";

const server = await testDatabase(inject("postgres"));
const log = createLog("notifications", "silent");
const open = () =>
  new RelayDatabase({
    schema: notificationsSchema,
    url: server.getRelayUrl(notificationsSchema),
    poolMax: 2,
    log,
  });
const relays = [open(), open()] as const;
afterAll(async () => {
  await Promise.all(relays.map((relay) => relay.close()));
  await server.drop();
});

const { sql } = server;
const leaseMs = 60_000;
const query = { leaseMs, rowsMax: 5, perApplicationMax: 5, running: new Map(), blocked: [], after: firstApplication };
/** Functions with which the queue suite reads and changes a table whose jobs have one ID. */
const accessRows = (table: string, id: string) => ({
  clear: () => sql(`TRUNCATE notifications.${table} CASCADE`),
  row: async (value: string) => (await sql(`SELECT * FROM notifications.${table} WHERE ${id} = $1`, [value]))[0],
  expire: (value: string) =>
    sql(`UPDATE notifications.${table} SET leased_until = now() - interval '1 second' WHERE ${id} = $1`, [value]),
  lock: (value: string) => server.lock(`SELECT FROM notifications.${table} WHERE ${id} = $1 FOR UPDATE`, [value]),
});

const mails = [mailQueue.on(relays[0]), mailQueue.on(relays[1])] as const;
queueSuite<ClaimedJob>("mails", {
  ...accessRows("mail_job", "id"),
  late: "nothing",
  async add() {
    const id = newId();
    await sql(
      `INSERT INTO notifications.mail_job (application_id, id, user_id, org_id, content, next_attempt_at, created_at)
       VALUES (gen_random_uuid(), $1, 'ada', 'org', '{}', now() - interval '1 second', now())`,
      [id],
    );
    return id;
  },
  claim: (worker) => mails[worker].claim({ ...query, now: new Date() }),
  finish: (worker, job) => finish(mails[worker], job, { status: "SENT", now: new Date() }),
  release: (worker, job) => reschedule(mails[worker], job, { at: new Date(), reason: "LATE", isCharged: false }),
});

const outcomes = [outcomeQueue.on(relays[0]), outcomeQueue.on(relays[1])] as const;
queueSuite<ClaimedOutcome & { readonly id: string }>("outcomes of prompts", {
  ...accessRows("prompt_outcome", "test_id"),
  late: "finish",
  async add() {
    const id = newId();
    await sql(
      `INSERT INTO notifications.prompt_outcome (application_id, test_id, org_id, accepted_at, next_attempt_at, created_at)
       VALUES (gen_random_uuid(), $1, 'org', now(), now() - interval '1 second', now())`,
      [id],
    );
    return id;
  },
  claim: async (worker) =>
    (await outcomes[worker].claim({ ...query, now: new Date() })).map((outcome) => ({
      ...outcome,
      id: outcome.testId,
    })),
  finish: (worker, outcome) => forget(relays[worker], outcome),
  release: (worker, outcome) => retryAt(outcomes[worker], outcome, new Date()),
});

/** Writes a state like a worker does. */
async function record(worker: Worker, state: Parameters<Recorder["add"]>[0]): Promise<void> {
  const deps = { relayDatabase: relays[worker], clock: { now: () => new Date() }, log, disable: async () => undefined };
  const recorder = new Recorder({ ...deps, kind: state.claimed.kind, failingMs: 1_000 }, () => undefined);
  recorder.add(state);
  await recorder.stop();
}

for (const kind of ["EVENT", "PROMPT"] as const) {
  queueSuite<Claimed>(`deliveries of kind ${kind}`, {
    ...accessRows("delivery", "id"),
    late: "nothing",
    async add() {
      const id = newId();
      await sql(
        `INSERT INTO notifications.delivery (application_id, id, kind, org_id, webhook_id, type, payload, status, created_at,
           schedule_steps, next_attempt_at)
         VALUES (gen_random_uuid(), $1, $2, 'org', gen_random_uuid(), 'topic.created', '{}', 'PENDING', now(), 10,
           now() - interval '1 second')`,
        [id, kind],
      );
      return id;
    },
    claim: async (worker) => {
      const places = { after: firstApplication, rowsMax: 5, limits: new Map(), limitElse: 5 };
      return (await claim(relays[worker], { kind, now: new Date(), leaseMs, isFailing: false, ...places })).claimed;
    },
    renew: (worker, claimed) => renew(relays[worker], claimed, leaseMs),
    finish: (worker, claimed) => record(worker, { ...released(claimed), status: "CANCELLED" }),
    release: (worker, claimed) => record(worker, { ...released(claimed), nextAttemptAt: new Date() }),
  });
}

test("feedback to be resent is claimed once, by one process", async () => {
  const ids = Array.from({ length: 6 }, () => newId());
  await sql(
    `INSERT INTO notifications.feedback (application_id, id, org_id, user_id, text, status, error, created_at, asked_at)
     SELECT gen_random_uuid(), id, 'org', 'ada', 'text', 'ASKED', 'NO_RELAY', now(), now() FROM unnest($1::uuid[]) AS id`,
    [ids],
  );
  const claimed: (string | undefined)[] = [];
  for (const _ of ids) claimed.push(...(await Promise.all(relays.map(claimRequested))).map((claim) => claim?.id));
  expect(claimed.filter((id) => id !== undefined).toSorted()).toEqual(ids.toSorted());
  // The user who made an old request no longer waits for it.
  await sql(
    "UPDATE notifications.feedback SET status = 'ASKED', error = 'NO_RELAY', asked_at = now() - interval '61 seconds'",
  );
  expect(await claimRequested(relays[0])).toBeUndefined();
});
