// A worker for tests: real PostgreSQL, real name server, real TLS receivers. Only the clock is stopped.

import { serviceDataSource } from "@ems/kit/db/data-source";
import { Database } from "@ems/kit/db/database";
import { RelayDatabase } from "@ems/kit/db/relay-database";
import { publisher } from "@ems/kit/events/publish";
import { newId, secureRandom } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import { deliveryDelaysMs } from "@ems/proto/limits";
import { fixedClock, type TestPostgres, testDatabase } from "@ems/test-support";
import { testKeys } from "@ems/test-support/rpc-keys";
import { startWebhookNetwork } from "@ems/test-support/webhook-network";
import { afterAll, inject } from "vitest";
import { notificationsConfig } from "../src/config.ts";
import type { AttemptRow, DeliveryRow } from "../src/deliveries/entity.ts";
import type { Disabled } from "../src/deliveries/worker/disable.ts";
import { newWebhookSecret } from "../src/deliveries/worker/signed-request.ts";
import { createWorker, type Worker } from "../src/deliveries/worker/worker.ts";
import { notificationsSchema } from "../src/schema.ts";
import { secretBox } from "../src/secret-box.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgres: TestPostgres;
  }
}

export interface TestWebhook {
  readonly applicationId: string;
  readonly id: string;
  readonly secret: string;
}

type Due = Omit<TestWebhook, "secret">;

export type WorkerHarness = Awaited<ReturnType<typeof workerHarness>>;

export async function workerHarness(env: Record<string, string> = {}) {
  const end = await startWebhookNetwork();
  const database = await testDatabase(inject("postgres"));
  const log = createLog("notifications", "silent");
  const clock = fixedClock();
  const keys = `test:${secureRandom(32).toString("base64")}`;
  const config = notificationsConfig({
    DATABASE_URL: database.getUrl(notificationsSchema),
    RELAY_DATABASE_URL: database.getRelayUrl(notificationsSchema),
    RPC_PORT: "0",
    RPC_CALLERS: "gateway",
    ...testKeys,
    SEALING_KEYS: keys,
    WEBHOOK_POLL_MS: "20",
    ...end.env,
    ...env,
  });
  const secrets = secretBox(keys, secureRandom);
  const url = database.getUrl(notificationsSchema);
  const dataSource = serviceDataSource({ url, poolMax: 4, schema: notificationsSchema, log });
  await dataSource.initialize();
  const relayDatabase = new RelayDatabase({
    schema: notificationsSchema,
    url: database.getRelayUrl(notificationsSchema),
    poolMax: 8,
    log,
  });
  const workers: Worker[] = [];
  const disabledWebhooks: Disabled[] = [];
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.stop(0)));
    await Promise.all([end.close(), dataSource.destroy(), relayDatabase.close()]);
    await database.drop();
  });
  const { sql } = database;
  return {
    ...end,
    startReceiver: end.receiver,
    clock,
    sql,
    relayDatabase,
    config,
    secrets,
    /** Webhooks for which `onDisabled` was called. */
    disabledWebhooks,
    /** Starts a worker; `overrides` replaces parts of its configuration. */
    startWorker(overrides: Partial<typeof config> = {}): Worker {
      const worker = createWorker(
        { ...config, ...overrides },
        {
          relayDatabase,
          database: new Database(dataSource),
          publish: publisher("notifications", { clock, newId }),
          secrets,
          clock,
          // Always the middle of the jitter, so that delays are as planned.
          random: (size) => Buffer.alloc(size, 0x80).fill(0, 1),
          log,
          onDisabled: async (_, disabled) => {
            disabledWebhooks.push(disabled);
          },
        },
      );
      workers.push(worker);
      worker.start();
      return worker;
    },
    /** Creates a webhook for a new application. */
    async webhook(url: string, headers?: Record<string, string>): Promise<TestWebhook> {
      const applicationId = newId();
      const id = newId();
      const secret = newWebhookSecret(secureRandom);
      await sql(
        `INSERT INTO notifications.webhook (application_id, id, org_id, url, secret, headers, header_names, created_at, modified_at)
         VALUES ($1, $2, 'org', $3, $4, $5, $6, $7, $7)`,
        [
          applicationId,
          id,
          url,
          secrets.seal(secret, `${applicationId}/secret`),
          headers === undefined ? null : secrets.seal(JSON.stringify(headers), `${applicationId}/headers`),
          Object.keys(headers ?? {}),
          clock.now(),
        ],
      );
      return { applicationId, id, secret };
    },
    /** Adds due deliveries; returns their IDs. */
    async deliveries(
      { applicationId, id }: Due,
      count = 1,
      { type = "topic.created", dueInMs = 0 }: { type?: string; dueInMs?: number } = {},
    ): Promise<string[]> {
      const ids = Array.from({ length: count }, () => newId());
      const now = clock.now();
      const steps = type === "webhook.test" ? 1 : deliveryDelaysMs.length;
      await sql(
        `INSERT INTO notifications.delivery
           (application_id, id, org_id, webhook_id, type, payload, status, created_at, schedule_steps, next_attempt_at)
         SELECT $1, e, 'org', $2, $3, '{"id":"' || e || '"}', 'PENDING', $4, $5, $6 FROM unnest($7::uuid[]) AS e`,
        [applicationId, id, type, now, steps, new Date(now.getTime() + dueInMs), ids],
      );
      return ids;
    },
    async delivery(id: string): Promise<DeliveryRow> {
      const [row] = await sql<DeliveryRow>(
        `SELECT status, attempt_count AS "attemptCount", schedule_step AS "scheduleStep", next_attempt_at AS "nextAttemptAt",
           leased_until AS "leasedUntil", last_outcome AS "lastOutcome", last_status_code AS "lastStatusCode"
         FROM notifications.delivery WHERE id = $1`,
        [id],
      );
      if (row === undefined) throw new Error(`no delivery ${id}`);
      return row;
    },
    attempts(id: string): Promise<AttemptRow[]> {
      return sql<AttemptRow>(
        `SELECT number, started_at AS "startedAt", duration_ms AS "durationMs", outcome, status_code AS "statusCode",
           response_body AS "responseBody", remote_address AS "remoteAddress"
         FROM notifications.attempt WHERE delivery_id = $1 ORDER BY number`,
        [id],
      );
    },
    /** Returns the number of deliveries of the webhook's application by status. */
    async statuses({ applicationId }: Due): Promise<Record<string, number>> {
      const rows = await sql<{ status: string; count: number }>(
        "SELECT status, count(*)::int AS count FROM notifications.delivery WHERE application_id = $1 GROUP BY 1",
        [applicationId],
      );
      return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
    },
  };
}
