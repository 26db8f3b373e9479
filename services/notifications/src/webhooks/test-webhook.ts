import type { Transaction } from "@ems/kit/db/transaction";
import { notFound } from "@ems/kit/errors";
import { eventOf } from "@ems/kit/events/publish";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import { currentTraceparent } from "@ems/kit/telemetry/trace";
import type { WebhookService } from "@ems/proto/notifications/v1/webhook_service";
import { DeliveryEntity } from "../deliveries/entity.ts";
import type { Deps } from "../deps.ts";
import type { Test } from "./awaited-tests.ts";
import { heldWebhook } from "./queries.ts";
import { errorOf, withoutAttempt } from "./test-outcome.ts";

type Handler = Handlers<typeof WebhookService>["testWebhook"];

/** Somebody waits: what is due already, at an endpoint that fails perhaps, comes after it. */
const beforeAllDue = `SELECT least($2::timestamptz, min(next_attempt_at) - interval '1 millisecond') AS at
  FROM notifications.delivery WHERE application_id = $1 AND status = 'PENDING'`;

/** Has an event without content delivered, and tells what came of it. A repeat tells of the same delivery. */
export function testWebhook({
  database,
  clock,
  newId,
  wake,
  tests,
}: Pick<Deps, "database" | "clock" | "newId" | "wake" | "tests">): Handler {
  return async (_, call) => {
    const send = async (tx: Transaction) => {
      // A disabled one too: whoever mends a receiver tries it first.
      const webhook = await heldWebhook(tx, call);
      if (webhook === null) throw notFound("Webhook");
      const now = clock.now();
      const [first] = await tx.query<{ at: Date }>(beforeAllDue, [call.tenant.applicationId, now]);
      const row = testOf(call, newId(), webhook.id, now);
      await tx.insert(DeliveryEntity, { ...row, nextAttemptAt: first?.at ?? now });
      return row.id;
    };
    const sent = async () => {
      const id = await database.change(call, send, { note: (made) => made, again: async (_, made) => made });
      wake(call.tenant.applicationId);
      return id;
    };
    return answerOf(await tests.run(call, sent));
  };
}

function testOf({ tenant }: Call, id: string, webhookId: string, now: Date) {
  const { applicationId, orgId } = tenant;
  const fact = { case: "webhookTest", value: { webhookId } } as const;
  const { type, payload } = eventOf(fact, { id, occurredAt: now, applicationId, orgId });
  return {
    ...{ applicationId, id, orgId, webhookId, type, payload },
    traceparent: currentTraceparent() ?? null,
    status: "PENDING" as const,
    createdAt: now,
    scheduleSteps: 1,
  };
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
