import { type Mount, mount } from "@ems/kit/rpc/service";
import { WebhookService } from "@ems/proto/notifications/v1/webhook_service";
import type { Deps } from "../deps.ts";
import { deleteWebhook } from "./delete-webhook.ts";
import { getWebhook } from "./get-webhook.ts";
import { PendingTests } from "./pending-tests.ts";
import { rotateWebhookSecret } from "./rotate-webhook-secret.ts";
import { setWebhook } from "./set-webhook.ts";
import { testWebhook } from "./test-webhook.ts";
import { validateWebhook } from "./validate-webhook.ts";

export const webhooks = (deps: Deps): Mount =>
  mount(WebhookService, {
    setWebhook: setWebhook(deps),
    getWebhook: getWebhook(deps),
    deleteWebhook: deleteWebhook(deps),
    testWebhook: testWebhook(deps, new PendingTests(deps)),
    rotateWebhookSecret: rotateWebhookSecret(deps),
    validateWebhook: validateWebhook(deps),
  });
