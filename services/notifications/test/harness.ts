import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import type { EventBus } from "@ems/kit/events/bus";
import { newId, secureRandom } from "@ems/kit/id";
import type { Logger } from "@ems/kit/log";
import type { Tenant } from "@ems/kit/tenant";
import { ErasureWorkService } from "@ems/proto/experiments/v1/erasure_work_service";
import { ExecutionService, type RecordPromptOutcomeRequest } from "@ems/proto/experiments/v1/execution_service";
import { type IngestSettingsSchema, IngestSettingsService } from "@ems/proto/experiments/v1/ingest_settings_service";
import { UserService } from "@ems/proto/identity/v1/user_service";
import { serviceHarness, type TestDatabase, testTenant } from "@ems/test-support";
import { notificationsConfig } from "../src/config.ts";
import type { AttemptRow, DeliveryRow } from "../src/deliveries/entity.ts";
import { notificationsSchema } from "../src/schema.ts";
import { createNotifications } from "../src/service.ts";

/** A person known to the fake identity. */
export const knownUser = { id: "ada", name: "Ada Lovelace", email: "ada@example.com" };

/** More people: one has no address, and one has an invalid address. */
export const people = [
  knownUser,
  { id: "ben", name: "Ben" },
  { id: "mallory", name: "Mallory\r\nBcc: <eve@evil.example>", email: "mallory@example.com\r\nBcc: eve@evil.example" },
];

interface NotificationsHarnessOptions {
  readonly log?: Logger;
  /** Called whenever identity is asked about people; throws to make the call fail. */
  readonly onUsersAsked?: () => void;
  /** Receives outcomes of prompts like experiments; throws to make the call fail. */
  readonly onOutcome?: (request: RecordPromptOutcomeRequest) => void;
  /** Returns redaction rules like experiments; throws to make the call fail. */
  readonly ingestSettings?: () => MessageInitShape<typeof IngestSettingsSchema>;
  /** Handlers of the fake experiments for erasures. */
  readonly erasureWork?: Partial<ServiceImpl<typeof ErasureWorkService>>;
  /** If a bus is given, events are consumed as deliveries, and a worker sends them. */
  readonly bus?: EventBus;
}

/** URL for webhooks in tests: a port on this machine on which nothing listens. */
export const nowhere = "https://127.0.0.1:65535/hook";
export const loopbackAllowed = { WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8" };

/** Starts notifications on a new database; identity knows `people`. */
export async function notificationsHarness(
  env: Record<string, string> = {},
  options: NotificationsHarnessOptions = {},
) {
  const harness = await serviceHarness({
    schema: notificationsSchema,
    config: notificationsConfig,
    build: createNotifications,
    env: { SEALING_KEYS: `test:${secureRandom(32).toString("base64")}`, ...env },
    log: options.log,
    bus: options.bus,
    peers: (router) => {
      router.service(ExecutionService, {
        recordPromptOutcome: (request) => {
          options.onOutcome?.(request);
          return {};
        },
      });
      router.service(IngestSettingsService, { getIngestSettings: () => ({ data: options.ingestSettings?.() ?? {} }) });
      router.service(ErasureWorkService, { claimErasedItems: () => ({}), ...options.erasureWork });
      router.service(UserService, {
        batchGetUsers: ({ ids }) => {
          options.onUsersAsked?.();
          return { users: people.filter(({ id }) => ids.includes(id)) };
        },
      });
    },
  });
  return { ...harness, tenant: testTenant() };
}

/** Adds a delivery of an event to the application, in the state in which consumer and worker leave it. */
export async function addDelivery(
  { sql }: TestDatabase,
  { applicationId, orgId }: Tenant,
  overrides: Partial<DeliveryRow> = {},
): Promise<Pick<DeliveryRow, "id" | "payload" | "createdAt">> {
  const { id = newId(), type = "topic.created", status = "DELIVERED" } = overrides;
  const createdAt = overrides.createdAt ?? new Date("2026-01-15T12:00:00.000Z");
  const event = { id, type, timestamp: createdAt.toISOString(), applicationId, orgId, data: { title: "Topic" } };
  const payload = overrides.payload ?? JSON.stringify(event);
  await sql(
    `INSERT INTO notifications.delivery (application_id, id, org_id, webhook_id, type, payload, status, created_at,
       attempt_count, schedule_step, schedule_steps, next_attempt_at, leased_until, last_outcome, last_status_code)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 10, $14, $11, $12, $13)`,
    [
      ...[applicationId, id, orgId, overrides.webhookId ?? newId(), type, payload, status, createdAt],
      ...[overrides.attemptCount ?? 0, overrides.scheduleStep ?? 0, overrides.leasedUntil ?? null],
      ...[overrides.lastOutcome ?? null, overrides.lastStatusCode ?? null],
      status === "PENDING" ? (overrides.nextAttemptAt ?? createdAt) : null,
    ],
  );
  return { id, payload, createdAt };
}

/** Adds an attempt at a delivery, as the worker records it. */
export async function addAttempt(
  { sql }: TestDatabase,
  { applicationId }: Tenant,
  deliveryId: string,
  overrides: Partial<AttemptRow> = {},
): Promise<void> {
  const { number = 1, startedAt = new Date("2026-01-15T12:00:00.000Z"), durationMs = 12 } = overrides;
  const { outcome = "DELIVERED", statusCode = null, responseBody = null, remoteAddress = null } = overrides;
  await sql(
    `INSERT INTO notifications.attempt (application_id, delivery_id, number, started_at, duration_ms, outcome,
       status_code, response_body, remote_address)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      ...[applicationId, deliveryId, number, startedAt, durationMs],
      ...[outcome, statusCode, responseBody, remoteAddress],
    ],
  );
}
