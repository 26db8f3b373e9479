import { type JsonValue, toJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import type { Handlers } from "@ems/kit/rpc/service";
import type { WebhookService } from "@ems/proto/notifications/v1/webhook_service";
import { DeliveryEntity } from "../deliveries/entity.ts";
import type { Deps } from "../deps.ts";
import { WebhookEntity } from "./entity.ts";
import { signingSecrets } from "./secrets.ts";
import { isSignedBy, saidBy, saysTheSame, timeOf } from "./verify.ts";

type Handler = Handlers<typeof WebhookService>["validateWebhook"];

/** Tells whether a delivery is one that was sent to the application's webhook, and lately. */
export function validateWebhook({ database, clock, secrets }: Pick<Deps, "database" | "clock" | "secrets">): Handler {
  return async ({ signature, timestamp, body }, call) => {
    const { applicationId } = call.tenant;
    const said = saidBy(body === undefined ? null : toJson(ValueSchema, body));
    const id = idOf(said);
    return database.change(call, async (tx) => {
      const sentAt = timeOf(timestamp, clock.now());
      if (sentAt === undefined || said === undefined || id === undefined) return { valid: false };

      const webhook = await tx.findOne(WebhookEntity, { applicationId });
      const delivery = await tx.findOne(DeliveryEntity, { applicationId, id });
      if (webhook === null || delivery === null) return { valid: false };
      const { payload } = delivery;
      const isOurs = isSignedBy(signingSecrets(secrets, webhook, sentAt), signature, { id, timestamp, payload });
      return { valid: isOurs && saysTheSame(said, payload) };
    });
  };
}

/** The event's id, where there is one. */
function idOf(said: JsonValue | undefined): string | undefined {
  if (typeof said !== "object" || said === null || Array.isArray(said)) return undefined;
  const { id } = said;
  return typeof id === "string" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? id : undefined;
}
