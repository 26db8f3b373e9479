import type { Handlers } from "@ems/kit/rpc/service";
import type { WebhookService } from "@ems/proto/notifications/v1/webhook_service";
import type { Deps } from "../deps.ts";
import { WebhookEntity } from "./entity.ts";
import { webhook } from "./messages.ts";

type Handler = Handlers<typeof WebhookService>["getWebhook"];

/** Returns the webhook of the application, if it has one. */
export function getWebhook({ database, secrets }: Pick<Deps, "database" | "secrets">): Handler {
  return async (_, call) => {
    const { applicationId } = call.tenant;
    const row = await database.withTenant(call, (tx) => tx.findOne(WebhookEntity, { applicationId }));
    return row === null ? {} : { data: webhook(row, secrets) };
  };
}
