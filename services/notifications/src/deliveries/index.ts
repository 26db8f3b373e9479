import { type Mount, mount } from "@ems/kit/rpc/service";
import { DeliveryService } from "@ems/proto/notifications/v1/delivery_service";
import type { Deps } from "../deps.ts";
import { getDelivery } from "./get-delivery.ts";
import { listDeliveries } from "./list-deliveries.ts";
import { recoverDeliveries } from "./recover-deliveries.ts";
import { resendDelivery } from "./resend-delivery.ts";

export { AttemptEntity, type AttemptRow, DeliveryEntity, type DeliveryRow } from "./entity.ts";
export { deliveryHandler } from "./event-handler.ts";
export { findTargets, lockedTarget } from "./queries.ts";
export { retainedDeliveries } from "./retention.ts";
export { webhookHosts } from "./settings.ts";
export { deliveryQueue } from "./worker/claim.ts";
export { isWithoutWebhook, noWebhook, webhookDisabled } from "./worker/prompt-state.ts";
export { newWebhookSecret, sign, signingSecrets } from "./worker/signed-request.ts";
export { createPromptWorker, createWorker, type Worker } from "./worker/worker.ts";

export const deliveries = (deps: Deps): Mount =>
  mount(DeliveryService, {
    listDeliveries: listDeliveries(deps),
    getDelivery: getDelivery(deps),
    resendDelivery: resendDelivery(deps),
    recoverDeliveries: recoverDeliveries(deps),
  });
