import { firstApplication, observeQueues } from "@ems/kit/db/queue";
import { RelayDatabase } from "@ems/kit/db/relay-database";
import { createLog } from "@ems/kit/log";
import { metricsText } from "@ems/kit/telemetry/metrics";
import { afterEach, describe, expect, test } from "vitest";
import { workerHarness } from "../../../test/worker-harness.ts";
import { retainedDeliveries } from "../retention.ts";
import { claim, claimStatement, deliveryQueue, renewStatement } from "./claim.ts";
import { stateStatement } from "./recorder.ts";

const harness = await workerHarness();
const { clock, sql, relayDatabase, dns, delivery, attempts, deliveries, webhook, statuses } = harness;
const receiver = await harness.startReceiver("hooks.example.com");

afterEach(async () => {
  receiver.behave({ kind: "answer", status: 200 });
  await sql("DELETE FROM notifications.delivery");
});

const day = 86_400_000;

describe("two workers", () => {
  test("never claim the same delivery concurrently, and omit none", async () => {
    const workers = [harness.startWorker(), harness.startWorker()];
    const hooks = await Promise.all([1, 2, 3, 4].map(() => webhook(receiver.origin)));
    receiver.behave((request) => ({ kind: "late", status: 200, afterMs: request.id.charCodeAt(35) % 8 }));
    const ids = (await Promise.all(hooks.map((hook) => deliveries(hook, 100)))).flat();
    for (const worker of workers) worker.wake();
    await expect.poll(() => Promise.all(hooks.map(statuses))).toEqual(hooks.map(() => ({ DELIVERED: 100 })));
    expect(ids.filter((id) => receiver.received.get(id) !== 1)).toEqual([]);
    expect(receiver.overlaps).toBe(0);
    await Promise.all(workers.map((worker) => worker.stop()));
  });

  test("claim a dead worker's deliveries after their lease", async () => {
    const [id = ""] = await deliveries(await webhook(receiver.origin));
    // The state left by a process that was killed during an attempt.
    await sql("UPDATE notifications.delivery SET leased_until = clock_timestamp() + interval '55 seconds'");
    const other = await webhook(receiver.origin);
    await deliveries(other);
    const worker = harness.startWorker();
    await expect.poll(() => statuses(other)).toEqual({ DELIVERED: 1 });
    expect(await delivery(id)).toMatchObject({ status: "PENDING", attemptCount: 0 });
    expect(receiver.received.has(id)).toBe(false);
    await sql(
      "UPDATE notifications.delivery SET leased_until = clock_timestamp() - interval '1 second' WHERE id = $1",
      [id],
    );
    await expect.poll(() => delivery(id)).toMatchObject({ status: "DELIVERED", attemptCount: 1 });
    await worker.stop();
  });
});

describe("stopping", () => {
  test("lets attempts in progress end, and releases the rest", async () => {
    const worker = harness.startWorker();
    const hook = await webhook(receiver.origin);
    const { promise: when, resolve: answer } = Promise.withResolvers<void>();
    // The receiver is fast at first, so that more is prefetched than it can send later.
    let requests = 0;
    receiver.behave(() => (++requests > 20 ? { kind: "held", status: 200, when } : { kind: "answer", status: 200 }));
    const ids = await deliveries(hook, 40);
    await expect.poll(() => ids.filter((id) => receiver.received.has(id)).length).toBe(20 + 4);
    const stopped = worker.stop(60_000);
    answer();
    await stopped;
    expect(await statuses(hook)).toEqual({ DELIVERED: 24, PENDING: 16 });
    expect(await sql("SELECT FROM notifications.delivery WHERE leased_until IS NOT NULL")).toEqual([]);
  });

  test("aborts slow attempts; they do not count, and are due immediately for other workers", async () => {
    const worker = harness.startWorker();
    receiver.behave({ kind: "hang" });
    const [id = ""] = await deliveries(await webhook(receiver.origin));
    await expect.poll(() => receiver.received.has(id)).toBe(true);
    await worker.stop(0);
    expect(await delivery(id)).toMatchObject({
      status: "PENDING",
      attemptCount: 0,
      nextAttemptAt: clock.now(),
      leasedUntil: null,
    });
    expect(await attempts(id)).toEqual([]);
  });
});

test("attempts do not count while name servers do not respond, and everything is delivered afterwards", async () => {
  dns.setSilent(true);
  const other = await harness.startReceiver("other.example.com");
  const worker = harness.startWorker({ WEBHOOK_DNS_TIMEOUT_MS: 300 });
  const hook = await webhook(other.origin);
  const ids = await deliveries(hook, 3);
  const arePutOff = async () =>
    (await Promise.all(ids.map(delivery))).every(({ nextAttemptAt }) => Number(nextAttemptAt) > clock.now().getTime());
  await expect.poll(arePutOff).toBe(true);
  for (const id of ids)
    expect(await delivery(id)).toMatchObject({ status: "PENDING", attemptCount: 0, scheduleStep: 0 });
  dns.setSilent(false);
  // A late DNS answer delays a delivery a second time.
  const afterAWhile = () => {
    clock.advance(6_000);
    return statuses(hook);
  };
  await expect.poll(afterAWhile).toEqual({ DELIVERED: 3 });
  await worker.stop();
});

test("an endpoint with a broken DNS zone is paused for longer each time, until a wake", async () => {
  const broken = await harness.startReceiver("broken.example.com");
  dns.set("broken.example.com", "SERVFAIL");
  const queries = () => dns.questions.filter(({ name }) => name === "broken.example.com").length;
  const worker = harness.startWorker();
  const hook = await webhook(broken.origin);
  const ids = await deliveries(hook, 50);
  // Any of them may be the first: they are due at the same time.
  const notAttempted = { status: "PENDING", attemptCount: 0, lastOutcome: "RESOLVER" };
  await expect.poll(() => Promise.all(ids.map(delivery))).toContainEqual(expect.objectContaining(notAttempted));
  // Each wake-up ends the pause, which would otherwise be a minute long by the seventh attempt.
  for (let times = 0; times < 7; times++) {
    const before = queries();
    worker.wake(hook.applicationId);
    await expect.poll(queries).toBeGreaterThan(before);
    await expect.poll(() => worker.paused()).toEqual([hook.applicationId]);
  }
  expect(await statuses(hook)).toEqual({ PENDING: 50 });
  // The metric excludes paused endpoints, so they raise no alert.
  expect([await backlog(() => []), await backlog(() => worker.paused())]).toEqual([50, 0]);
  dns.set("broken.example.com", ["127.0.1.1"]);
  clock.advance(600_000);
  worker.wake(hook.applicationId);
  await expect.poll(() => statuses(hook)).toEqual({ DELIVERED: 50 });
  expect(worker.paused()).toEqual([]);
  await worker.stop();
});

/** Returns the value of the metric for due deliveries. */
async function backlog(paused: () => readonly string[]): Promise<number> {
  const stop = observeQueues([deliveryQueue], relayDatabase, paused);
  const [, value] = /^ems_queue_depth\{queue="notifications.deliveries"\} (\d+)$/m.exec(await metricsText()) ?? [];
  stop();
  return Number(value);
}

test("nothing is lost while the database is down", async () => {
  // Deliveries wait for their lease if the response of the statement that claimed them was lost.
  const worker = harness.startWorker({ WEBHOOK_ATTEMPT_TIMEOUT_MS: 5_000, WEBHOOK_LEASE_MS: 10_000 });
  const hook = await webhook(receiver.origin);
  const ids = await deliveries(hook, 200);
  await expect.poll(() => ids.some((id) => receiver.received.has(id))).toBe(true);
  for (let times = 0; times < 5; times++) {
    await sql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'ems-relay' AND datname = current_database()",
    );
  }
  await expect.poll(() => statuses(hook), { timeout: 50_000 }).toEqual({ DELIVERED: 200 });
  expect(ids.filter((id) => !receiver.received.has(id))).toEqual([]);
  await worker.stop();
}, 120_000);

describe("a dead receiver", () => {
  test("with a long queue does not delay the others", async () => {
    const dead = await harness.startReceiver("dead.example.com");
    dead.behave({ kind: "hang" });
    const deadHook = await webhook(dead.origin);
    await deliveries(deadHook, 20_000);
    await sql("ANALYZE notifications.delivery");
    const hooks = await Promise.all(Array.from({ length: 10 }, () => webhook(receiver.origin)));
    const worker = harness.startWorker();
    await expect.poll(() => dead.inHandMax).toBe(4);
    await Promise.all(hooks.map((hook) => deliveries(hook, 20)));
    worker.wake();
    // This would take hours if they had to wait for the attempts at the dead receiver.
    await expect.poll(() => Promise.all(hooks.map(statuses))).toEqual(hooks.map(() => ({ DELIVERED: 20 })));
    expect(dead.inHandMax).toBe(4);
    await worker.stop(0);
    expect(await statuses(deadHook)).toEqual({ PENDING: 20_000 });
  });

  test("gets one attempt at a time after five consecutive failures, and four again after a success", async () => {
    const flaky = await harness.startReceiver("flaky.example.com");
    const hook = await webhook(flaky.origin);
    await sql("UPDATE notifications.webhook SET failure_streak = 5, failing_since = $1 WHERE id = $2", [
      clock.now(),
      hook.id,
    ]);
    flaky.behave({ kind: "late", status: 500, afterMs: 5 });
    await deliveries(hook, 100);
    const worker = harness.startWorker();
    await expect.poll(() => flaky.received.size).toBeGreaterThan(5);
    expect(flaky.inHandMax).toBe(1);
    flaky.behave({ kind: "late", status: 200, afterMs: 5 });
    const afterAWhile = () => {
      clock.advance(6_000);
      return statuses(hook);
    };
    await expect.poll(afterAWhile).toEqual({ DELIVERED: 100 });
    expect(flaky.inHandMax).toBe(4);
    await worker.stop();
  });
});

test("a claim among 100,000 due deliveries of one application reads few of them", async () => {
  const big = await webhook(receiver.origin);
  await sql(
    `INSERT INTO notifications.delivery
       (application_id, id, org_id, webhook_id, type, payload, status, created_at, schedule_steps, next_attempt_at)
     SELECT $1, gen_random_uuid(), 'org', $2, 'topic.created', '{}', 'PENDING', $3, 10, $3::timestamptz - i * interval '1 second'
     FROM generate_series(1, 100000) AS i`,
    [big.applicationId, big.id, clock.now()],
  );
  const small = await Promise.all([1, 2, 3].map(() => webhook(receiver.origin)));
  await Promise.all(small.map((hook) => deliveries(hook, 2)));
  await sql("VACUUM ANALYZE notifications.delivery");
  // PostgreSQL may use a generic plan from the sixth execution on.
  const rows = await relayDatabase.transaction(async (tx) => {
    await tx.query("SET LOCAL plan_cache_mode = force_generic_plan");
    await tx.query(
      `PREPARE claim (timestamptz, int, boolean, uuid, int, uuid[], int[], int) AS ${claimStatement.text}`,
    );
    return tx.query<{ "QUERY PLAN": [{ Plan: { "Shared Hit Blocks": number; "Shared Read Blocks": number } }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)
       EXECUTE claim('${clock.now().toISOString()}', 30000, false, '${firstApplication}', 256, '{}', '{}', 4)`,
    );
  });
  const [{ Plan: plan }] = rows[0]?.["QUERY PLAN"] ?? [{ Plan: { "Shared Hit Blocks": 0, "Shared Read Blocks": 0 } }];
  const text = JSON.stringify(plan);
  expect(text).toContain('"Index Name":"delivery_due"');
  expect(text).not.toMatch(/"Node Type":"Seq Scan"[^{}]*"Relation Name":"delivery"/);
  expect(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]).toBeLessThan(500);
  const query = {
    kind: "EVENT" as const,
    now: clock.now(),
    leaseMs: 30_000,
    isFailing: false,
    after: firstApplication,
    limits: new Map(),
    limitElse: 4,
  };
  // The statement above claimed the deliveries of the small applications.
  const { claimed } = await claim(relayDatabase, { ...query, rowsMax: 256 });
  expect(claimed.map(({ applicationId }) => applicationId)).toEqual(Array(4).fill(big.applicationId));
}, 60_000);

test.each([
  { ...renewStatement, values: "30000, '{}', '{}', '{}'" },
  { ...stateStatement, values: "'[]'" },
])("a plan made for an empty queue does not scan a long one: $name", async ({ text, values }) => {
  await sql("TRUNCATE notifications.delivery CASCADE");
  await sql("ANALYZE notifications.delivery");
  const lines = await relayDatabase.transaction(async (tx) => {
    await tx.query("SET LOCAL plan_cache_mode = force_generic_plan");
    await tx.query(`PREPARE planned AS ${text}`);
    const plan = await tx.query<{ "QUERY PLAN": string }>(`EXPLAIN (COSTS OFF) EXECUTE planned (${values})`);
    await tx.query("DEALLOCATE planned");
    return plan.map((line) => line["QUERY PLAN"]).join("\n");
  });
  expect(lines).not.toMatch(/Seq Scan on delivery|Hash Join|Merge Join|delivery_due/);
});

test("a relay's plans are renewed while tables grow", async () => {
  const [url, log] = [harness.config.RELAY_DATABASE_URL, createLog("test", "silent")];
  const singleConnection = new RelayDatabase({ schema: { name: "notifications" }, url, poolMax: 1, log });
  await sql("TRUNCATE notifications.delivery CASCADE");
  await sql("ANALYZE notifications.delivery");
  const text = "SELECT FROM notifications.delivery WHERE application_id = $1 AND id = $2";
  const [name, values] = ["by-key", [firstApplication, firstApplication]];
  const usedIndex = async () => {
    for (let times = 0; times < 6; times++) await singleConnection.query({ name, text, values });
    const explain = `EXPLAIN (COSTS OFF) EXECUTE "by-key" ('${firstApplication}', '${firstApplication}')`;
    const plan = await singleConnection.query<{ "QUERY PLAN": string }>({ text: explain });
    return /delivery_\w+/.exec(JSON.stringify(plan))?.[0];
  };
  expect(await usedIndex()).not.toBe("delivery_pkey");
  await deliveries(await webhook(receiver.origin), 1_000, { dueInMs: day });
  await expect.poll(usedIndex, { timeout: 20_000 }).toBe("delivery_pkey");
  await singleConnection.close();
});

test("deliveries older than 30 days are pruned, with their attempts", async () => {
  const hook = await webhook(receiver.origin);
  const [old = "", remaining = ""] = await deliveries(hook, 2);
  const worker = harness.startWorker();
  await expect.poll(() => statuses(hook)).toEqual({ DELIVERED: 2 });
  await worker.stop();
  const limit = new Date(clock.now().getTime() - 30 * day);
  await sql("UPDATE notifications.delivery SET created_at = $1 WHERE id = $2", [new Date(limit.getTime() - 1), old]);
  await sql("UPDATE notifications.delivery SET created_at = $1 WHERE id = $2", [limit, remaining]);
  const deleted: number[] = [];
  await retainedDeliveries(30, relayDatabase).clear(limit, async (rows) => void deleted.push(rows));
  expect(deleted).toEqual([1]);
  expect(await attempts(old)).toEqual([]);
  expect(await attempts(remaining)).toHaveLength(1);
});
