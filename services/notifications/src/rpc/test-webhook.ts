import { setTimeout as wait } from "node:timers/promises";
import { notFound } from "@ems/kit/errors";
import { eventOf } from "@ems/kit/events/publish";
import { type Call, leftMs } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import { traceparentNow } from "@ems/kit/telemetry/trace";
import type { WebhookService } from "@ems/proto/notifications/v1/webhook_service";
import type { EntityManager } from "typeorm";
import type { Deps } from "../deps.ts";
import type { AttemptRow } from "../entities/attempt.ts";
import { DeliveryEntity, type DeliveryRow } from "../entities/delivery.ts";
import { errorOf, withoutAttempt } from "../test-outcome.ts";
import { heldWebhook } from "../webhook-reads.ts";

type Handler = Handlers<typeof WebhookService>["testWebhook"];

/** The longest that the attempt is waited for: a second less than the caller waits. */
const waitMsMax = 19_000;
const answerMs = 1_000;
/** How often it is looked whether the attempt has ended: often at first, since most receivers are quick. */
const lookMsMin = 25;
const lookMsMax = 500;

/** A delivery and its first attempt, if there is one yet. */
type Test = Pick<DeliveryRow, "status" | "lastOutcome"> & { [K in "outcome" | "statusCode"]: AttemptRow[K] | null };

const firstAttempt = `SELECT d.status, d.last_outcome AS "lastOutcome", a.outcome, a.status_code AS "statusCode"
  FROM notifications.delivery d
  LEFT JOIN notifications.attempt a ON a.application_id = d.application_id AND a.delivery_id = d.id AND a.number = 1
  WHERE d.application_id = $1 AND d.id = $2`;

/** Somebody waits: what is due already, at an endpoint that fails perhaps, comes after it. */
const beforeAllDue = `SELECT least($2::timestamptz, min(next_attempt_at) - interval '1 millisecond') AS at
  FROM notifications.delivery WHERE application_id = $1 AND status = 'PENDING'`;

/** Has an event without content delivered, and tells what came of it. A repeat tells of the same delivery. */
export function testWebhook({
  database,
  clock,
  newId,
  wake,
}: Pick<Deps, "database" | "clock" | "newId" | "wake">): Handler {
  return async (_, call) => {
    const send = async (manager: EntityManager) => {
      // A disabled one too: whoever mends a receiver tries it first.
      const webhook = await heldWebhook(manager, call);
      if (webhook === null) throw notFound("Webhook");
      const now = clock.now();
      const [first] = await manager.query<{ at: Date }[]>(beforeAllDue, [call.tenant.applicationId, now]);
      const row = testOf(call, newId(), webhook.id, now);
      await manager.insert(DeliveryEntity, { ...row, nextAttemptAt: first?.at ?? now });
      return row.id;
    };
    const id = await database.change(call, send, { note: (sent) => sent, again: async (_, sent) => sent });
    wake(call.tenant.applicationId);
    return answerOf(await ended(database, call, id));
  };
}

function testOf({ tenant }: Call, id: string, webhookId: string, now: Date) {
  const { applicationId, orgId } = tenant;
  const fact = { case: "webhookTest", value: { webhookId } } as const;
  const { type, payload } = eventOf(fact, { id, occurredAt: now, applicationId, orgId });
  return {
    ...{ applicationId, id, orgId, webhookId, type, payload },
    traceparent: traceparentNow() ?? null,
    status: "PENDING" as const,
    createdAt: now,
    scheduleSteps: 1,
  };
}

/** The test as soon as it is attempted or cancelled, or as it stands when nobody can wait any longer. */
async function ended(database: Deps["database"], call: Call, id: string): Promise<Test | undefined> {
  const until = performance.now() + Math.min(waitMsMax, leftMs(call) - answerMs);
  const statement = { name: "first-attempt", text: firstAttempt, values: [call.tenant.applicationId, id] };
  for (let lookMs = lookMsMin; ; lookMs = Math.min(2 * lookMs, lookMsMax)) {
    const [test] = await database.read<Test>(call, statement);
    if (test?.outcome !== null || test.status !== "PENDING" || performance.now() >= until) return test;
    // The worker that attempts it may be another process: what came of it is in the database.
    await wait(lookMs, undefined, { signal: call.signal });
  }
}

function answerOf(test: Test | undefined) {
  const { status = "PENDING", lastOutcome = null, outcome = null, statusCode = null } = test ?? {};
  if (outcome === null) return { success: false, error: withoutAttempt({ status, lastOutcome }) };
  const error = errorOf({ outcome, statusCode });
  return {
    success: error === undefined,
    ...(statusCode !== null && { statusCode }),
    ...(error !== undefined && { error }),
  };
}
