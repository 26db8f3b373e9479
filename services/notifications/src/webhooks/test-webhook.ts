import type { Transaction } from "@ems/kit/db/transaction";
import { notFound } from "@ems/kit/errors";
import { eventJson, toEvent, typeOfFact } from "@ems/kit/events/content";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import { currentTraceparent } from "@ems/kit/telemetry/trace";
import type { WebhookService } from "@ems/proto/notifications/v1/webhook_service";
import { DeliveryEntity, lockedTarget } from "../deliveries/index.ts";
import type { Deps } from "../deps.ts";
import type { PendingTests, TestState } from "./pending-tests.ts";
import { attemptError, noAttemptError } from "./test-errors.ts";

type Handler = Handlers<typeof WebhookService>["testWebhook"];

/** Makes the test due before everything that is already due, because a caller waits for it. */
const firstDue = `SELECT least($2::timestamptz, min(next_attempt_at) - interval '1 millisecond') AS at
  FROM notifications.delivery WHERE application_id = $1 AND status = 'PENDING' AND kind = 'EVENT'`;

/** Delivers an event without content and returns the outcome; a repeated request gets the same delivery's outcome. */
export function testWebhook(
  { database, clock, newId, wake }: Pick<Deps, "database" | "clock" | "newId" | "wake">,
  tests: Pick<PendingTests, "run">,
): Handler {
  return async (_, call) => {
    const insert = async (tx: Transaction) => {
      // Also sends to a disabled webhook, because a repaired receiver is tested before the webhook is enabled.
      const target = await lockedTarget(tx, call);
      if (target === undefined) throw notFound("Webhook");
      const now = clock.now();
      const [first] = await tx.query<{ at: Date }>(firstDue, [call.tenant.applicationId, now]);
      const row = testDelivery(call, newId(), target.id, now);
      await tx.insert(DeliveryEntity, { ...row, nextAttemptAt: first?.at ?? now });
      return row.id;
    };
    const send = async () => {
      const id = await database.change(call, insert, { reference: (made) => made, replay: async (_, made) => made });
      wake(call.tenant.applicationId);
      return id;
    };
    return response(await tests.run(call, send));
  };
}

function testDelivery({ tenant }: Call, id: string, webhookId: string, now: Date) {
  const { applicationId, orgId } = tenant;
  const body = { case: "webhookTest", value: { webhookId } } as const;
  const type = typeOfFact(body);
  const payload = eventJson(toEvent(body, { id, occurredAt: now, applicationId, orgId }));
  return {
    applicationId,
    id,
    orgId,
    webhookId,
    type,
    payload,
    traceparent: currentTraceparent() ?? null,
    status: "PENDING" as const,
    createdAt: now,
    scheduleSteps: 1,
  };
}

function response(test: TestState | undefined) {
  const { status = "PENDING", lastOutcome = null, outcome = null, statusCode = null } = test ?? {};
  if (outcome === null) return { success: false, error: noAttemptError({ status, lastOutcome }) };
  const error = attemptError({ outcome, statusCode });
  return {
    success: error === undefined,
    ...(statusCode !== null && { statusCode }),
    ...(error !== undefined && { error }),
  };
}
