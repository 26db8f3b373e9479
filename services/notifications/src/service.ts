import { createClient } from "@connectrpc/connect";
import type { BackgroundLoop } from "@ems/kit/background";
import { relayPool } from "@ems/kit/db/relay-pool";
import { publisher } from "@ems/kit/events/publish";
import { mount } from "@ems/kit/rpc/service";
import type { ServiceDeps } from "@ems/kit/serve";
import { openService, type Service } from "@ems/kit/service";
import { UserService } from "@ems/proto/identity/v1/user_service";
import { DeliveryService } from "@ems/proto/notifications/v1/delivery_service";
import { FeedbackService } from "@ems/proto/notifications/v1/feedback_service";
import { WebhookService } from "@ems/proto/notifications/v1/webhook_service";
import type { NotificationsConfig } from "./config.ts";
import { deliveries } from "./deliveries/event-handler.ts";
import { getDelivery } from "./deliveries/get-delivery.ts";
import { listDeliveries } from "./deliveries/list-deliveries.ts";
import { recoverDeliveries } from "./deliveries/recover-deliveries.ts";
import { resendDelivery } from "./deliveries/resend-delivery.ts";
import { schedule } from "./deliveries/worker/schedule.ts";
import { createWorker, type Worker } from "./deliveries/worker/worker.ts";
import type { Deps } from "./deps.ts";
import { consumeEvents } from "./events/consume.ts";
import { feedbackPlaces } from "./feedback/limits.ts";
import { startResender } from "./feedback/resender.ts";
import { sendFeedback } from "./feedback/send-feedback.ts";
import { createPublicHosts } from "./hosts/public-host.ts";
import { mailTaker } from "./mail/event-handler.ts";
import { startMailer } from "./mail/mailer.ts";
import { openMail } from "./mail/open-mail.ts";
import { operatorMail } from "./mail/operator-mail.ts";
import { notificationsSchema } from "./schema.ts";
import { secretBox } from "./secret-box.ts";
import { watchWaiting } from "./telemetry.ts";
import { WebhookTests } from "./webhooks/awaited-tests.ts";
import { deleteWebhook } from "./webhooks/delete-webhook.ts";
import { getWebhook } from "./webhooks/get-webhook.ts";
import { rotateWebhookSecret } from "./webhooks/rotate-webhook-secret.ts";
import { setWebhook } from "./webhooks/set-webhook.ts";
import { testWebhook } from "./webhooks/test-webhook.ts";
import { validateWebhook } from "./webhooks/validate-webhook.ts";

/** Notifications: webhooks and their deliveries, e-mail and feedback. */
export async function createNotifications(
  config: NotificationsConfig,
  { log, bus, clock, newId, random, peer }: ServiceDeps,
): Promise<Service> {
  const pool = relayPool({ url: config.RELAY_DATABASE_URL, poolMax: config.DATABASE_POOL_MAX, log });
  const users = createClient(UserService, peer("identity"));
  const mail = await openMail(config, { clock, newId, log });
  const secrets = secretBox(config.SEALING_KEYS, random);
  const publish = publisher(notificationsSchema.name, { clock, newId });
  const hosts = createPublicHosts(config);
  let worker: Worker | undefined;
  let resender: BackgroundLoop | undefined;
  const service = await openService(notificationsSchema, config, { log, bus }, (database) => {
    const onDisabled = config.OPERATOR_TO === undefined ? undefined : operatorMail(newId);
    const common = { database, publish, clock, random, secrets, log };
    // Without a bus this is no product but a part of it under test, which has nobody to send to.
    worker = bus && createWorker(config, { ...common, pool, publicHosts: hosts, onDisabled });
    const deps: Deps = {
      ...common,
      newId,
      hosts,
      wake: (applicationId) => worker?.wake(applicationId),
      forget: (applicationId) => worker?.forget(applicationId),
      tests: new WebhookTests(pool, log, config.WEBHOOK_TESTS_MAX),
      users,
      mail: mail.transport,
      feedbackTo: mail.feedbackTo,
      feedbackPlaces: feedbackPlaces(),
      feedbackPerHourMax: config.FEEDBACK_PER_HOUR_MAX,
    };
    resender = startResender({ ...deps, pool });
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
      mount(FeedbackService, { sendFeedback: sendFeedback(deps) }),
    ];
  });
  const mailer = startMailer({ ...mail, pool, users, operatorTo: config.OPERATOR_TO, clock, newId, log });
  const takers = [deliveries({ clock, scheduleSteps: schedule.length }), mailTaker(clock)];
  const onTaken = () => {
    worker?.wake();
    mailer.wake();
  };
  const reconcileMs = config.RECONCILE_MS;
  const consumption = bus && consumeEvents({ bus, reconcileMs, pool, clock, newId, log, takers, onTaken });
  worker?.start();
  const stopWatching = watchWaiting(pool, () => worker?.paused() ?? []);
  return {
    ...service,
    adminPages: mail.pages,
    close: async () => {
      stopWatching();
      await consumption?.stop();
      await worker?.stop();
      await mailer.stop();
      await resender?.stop();
      mail.transport.close();
      await service.close();
      await pool.end();
    },
  };
}
