import { publisher } from "@ems/kit/events/publish";
import { mount } from "@ems/kit/rpc/service";
import type { ServiceDeps } from "@ems/kit/serve";
import { openService, type Service } from "@ems/kit/service";
import { DeliveryService } from "@ems/proto/notifications/v1/delivery_service";
import { WebhookService } from "@ems/proto/notifications/v1/webhook_service";
import type { NotificationsConfig } from "./config.ts";
import { createPublicHosts } from "./delivery/public-host.ts";
import { deleteWebhook } from "./rpc/delete-webhook.ts";
import { getDelivery } from "./rpc/get-delivery.ts";
import { getWebhook } from "./rpc/get-webhook.ts";
import { listDeliveries } from "./rpc/list-deliveries.ts";
import { recoverDeliveries } from "./rpc/recover-deliveries.ts";
import { resendDelivery } from "./rpc/resend-delivery.ts";
import { rotateWebhookSecret } from "./rpc/rotate-webhook-secret.ts";
import { setWebhook } from "./rpc/set-webhook.ts";
import { testWebhook } from "./rpc/test-webhook.ts";
import { validateWebhook } from "./rpc/validate-webhook.ts";
import { notificationsSchema } from "./schema.ts";
import { secretBox } from "./secret-box.ts";

/** Notifications: webhooks and their deliveries, e-mail and feedback. */
export function createNotifications(
  config: NotificationsConfig,
  { log, clock, newId, random }: ServiceDeps,
): Promise<Service> {
  return openService(notificationsSchema, config, log, (database) => {
    const deps = {
      database,
      publish: publisher(notificationsSchema.name, { clock, newId }),
      clock,
      newId,
      random,
      secrets: secretBox(config.SEALING_KEYS, random),
      hosts: createPublicHosts(config),
      wake: () => undefined,
    };
    return [
      mount(WebhookService, {
        setWebhook: setWebhook(deps),
        getWebhook: getWebhook(deps),
        deleteWebhook: deleteWebhook(deps),
        testWebhook: testWebhook(deps),
        rotateWebhookSecret: rotateWebhookSecret(deps),
        validateWebhook: validateWebhook(deps),
      }),
      mount(DeliveryService, {
        listDeliveries: listDeliveries(deps),
        getDelivery: getDelivery(deps),
        resendDelivery: resendDelivery(deps),
        recoverDeliveries: recoverDeliveries(deps),
      }),
    ];
  });
}
