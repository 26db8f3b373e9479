import type { Transaction } from "@ems/kit/db/transaction";
import type { Handlers } from "@ems/kit/rpc/service";
import { secretOverlapMs } from "@ems/proto/limits";
import type { WebhookService } from "@ems/proto/notifications/v1/webhook_service";
import { newWebhookSecret } from "../deliveries/index.ts";
import type { Deps } from "../deps.ts";
import { WebhookEntity } from "./entity.ts";
import { webhook, webhookChanged } from "./messages.ts";
import { lockedWebhook, replayWebhook } from "./queries.ts";
import { sealSecret } from "./secrets.ts";

type Handler = Handlers<typeof WebhookService>["rotateWebhookSecret"];

/** Replaces the secret of the application's webhook. */
export function rotateWebhookSecret({
  database,
  publish,
  clock,
  random,
  secrets,
  invalidate,
}: Pick<Deps, "database" | "publish" | "clock" | "random" | "secrets" | "invalidate">): Handler {
  return async (_, call) => {
    const { applicationId } = call.tenant;
    const rotate = async (tx: Transaction) => {
      const row = await lockedWebhook(tx, call);
      const now = clock.now();
      const change = {
        secret: sealSecret(secrets, applicationId, newWebhookSecret(random)),
        // Copied without decryption, because both columns use the same place for encryption.
        previousSecret: row.secret,
        previousSecretUntil: new Date(now.getTime() + secretOverlapMs),
        modifiedAt: now,
      };
      await tx.update(WebhookEntity, { applicationId }, change);
      const rotated = { ...row, ...change };
      await publish(tx, call.tenant, { case: "webhookUpdated", value: webhookChanged(rotated) });
      return { data: webhook(rotated, secrets) };
    };
    const answer = await database.change(call, rotate, replayWebhook(call, secrets));
    invalidate(applicationId);
    return answer;
  };
}
