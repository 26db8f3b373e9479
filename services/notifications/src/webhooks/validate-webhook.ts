import type { Value } from "@bufbuild/protobuf/wkt";
import type { Transaction } from "@ems/kit/db/transaction";
import { fromValue } from "@ems/kit/json/free-value";
import type { Handlers } from "@ems/kit/rpc/service";
import type { WebhookService } from "@ems/proto/notifications/v1/webhook_service";
import { AttemptEntity, DeliveryEntity, type DeliveryRow, signingSecrets } from "../deliveries/index.ts";
import type { Deps } from "../deps.ts";
import { WebhookEntity } from "./entity.ts";
import {
  findDelivery,
  isRecent,
  isSamePayload,
  isSignedBy,
  parseBody,
  parseTimestamp,
  secondsOfAttempts,
} from "./verify.ts";

type Handler = Handlers<typeof WebhookService>["validateWebhook"];

/** Checks that a request was sent to the application's webhook, and recently. */
export function validateWebhook({ database, clock, secrets }: Pick<Deps, "database" | "clock" | "secrets">): Handler {
  return async ({ signature, timestamp, body }, call) => {
    const { applicationId } = call.tenant;
    const received = parseBody(body === undefined ? null : fromValue(body));
    const found = findDelivery(received);
    return database.change(call, async (tx) => {
      if (received === undefined || found === undefined) return { valid: false };

      const webhook = await tx.findOne(WebhookEntity, { applicationId });
      const delivery = await tx.findOne(DeliveryEntity, { applicationId, ...found });
      if (webhook === null || delivery === null) return { valid: false };
      const { id, payload } = delivery;
      const isSigned = (await sentSeconds(tx, delivery, timestamp, clock.now())).some((seconds) => {
        const current = signingSecrets(secrets, webhook, new Date(seconds * 1000));
        return isSignedBy(current, signature, { id, timestamp: String(seconds), payload });
      });
      return { valid: isSigned && isSamePayload(received, payload) };
    });
  };
}

/** Maximum number of newest attempts to check; the schedule makes only a few in 5 minutes. */
const attemptsMax = 10;

/**
 * Returns the seconds in which the signature may have been made: that of the timestamp or, if there is none, those of
 * recent attempts.
 */
async function sentSeconds(
  tx: Transaction,
  { applicationId, id, kind: deliveryKind }: DeliveryRow,
  timestamp: Value | undefined,
  now: Date,
): Promise<number[]> {
  const { kind } = timestamp ?? {};
  if (kind?.case === "stringValue" || kind?.case === "numberValue") {
    const seconds = parseTimestamp(kind.value);
    return seconds !== undefined && isRecent(seconds, now) ? [seconds] : [];
  }
  const options = { orderBy: { number: "DESC" }, limit: attemptsMax } as const;
  const attempts = await tx.find(AttemptEntity, { applicationId, deliveryId: id }, options);
  return secondsOfAttempts(
    attempts.map(({ startedAt }) => startedAt),
    now,
    deliveryKind,
  );
}
