import { toJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import type { Handlers } from "@ems/kit/rpc/service";
import type { WebhookService } from "@ems/proto/notifications/v1/webhook_service";
import { DeliveryEntity, signingSecrets } from "../deliveries/index.ts";
import type { Deps } from "../deps.ts";
import { WebhookEntity } from "./entity.ts";
import { eventIdOf, isSamePayload, isSignedBy, parseBody, parseTimestamp } from "./verify.ts";

type Handler = Handlers<typeof WebhookService>["validateWebhook"];

/** Whether a request was sent to the application's webhook, and recently. */
export function validateWebhook({ database, clock, secrets }: Pick<Deps, "database" | "clock" | "secrets">): Handler {
  return async ({ signature, timestamp, body }, call) => {
    const { applicationId } = call.tenant;
    const received = parseBody(body === undefined ? null : toJson(ValueSchema, body));
    const id = eventIdOf(received);
    return database.change(call, async (tx) => {
      const sentAt = parseTimestamp(timestamp, clock.now());
      if (sentAt === undefined || received === undefined || id === undefined) return { valid: false };

      const webhook = await tx.findOne(WebhookEntity, { applicationId });
      const delivery = await tx.findOne(DeliveryEntity, { applicationId, id });
      if (webhook === null || delivery === null) return { valid: false };
      const { payload } = delivery;
      const isSigned = isSignedBy(signingSecrets(secrets, webhook, sentAt), signature, { id, timestamp, payload });
      return { valid: isSigned && isSamePayload(received, payload) };
    });
  };
}
