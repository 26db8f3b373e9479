import { createClient } from "@connectrpc/connect";
import { relayPool } from "@ems/kit/db/relay-pool";
import { publisher } from "@ems/kit/events/publish";
import { mount } from "@ems/kit/rpc/service";
import type { ServiceDeps } from "@ems/kit/serve";
import { openService, type Service } from "@ems/kit/service";
import { UserService } from "@ems/proto/identity/v1/user_service";
import { FeedbackService } from "@ems/proto/notifications/v1/feedback_service";
import type { NotificationsConfig } from "./config.ts";
import { consumeEvents } from "./consumers/consume.ts";
import { deliveries } from "./consumers/deliveries.ts";
import type { Deps } from "./deps.ts";
import { openMail } from "./mail/open-mail.ts";
import { sendFeedback } from "./rpc/send-feedback.ts";
import { notificationsSchema } from "./schema.ts";
import { secretBox } from "./secret-box.ts";

/** How many attempts a delivery gets. */
const scheduleSteps = 10;

/** Notifications: webhooks and their deliveries, e-mail and feedback. */
export async function createNotifications(
  config: NotificationsConfig,
  { log, bus, clock, newId, random, peer }: ServiceDeps,
): Promise<Service> {
  const mail = await openMail(config, { clock, newId, log });
  const pool = relayPool({ url: config.RELAY_DATABASE_URL, poolMax: config.DATABASE_POOL_MAX, log });
  const service = await openService(notificationsSchema, config, { log, bus }, (database) => {
    const deps: Deps = {
      database,
      publish: publisher(notificationsSchema.name, { clock, newId }),
      clock,
      newId,
      random,
      secrets: secretBox(config.SEALING_KEYS, random),
      log,
      users: createClient(UserService, peer("identity")),
      mail: mail.transport,
      feedbackTo: mail.feedbackTo,
    };
    return [mount(FeedbackService, { sendFeedback: sendFeedback(deps) })];
  });
  const takers = [deliveries({ clock, scheduleSteps })];
  const consumption = bus && consumeEvents({ bus, pool, clock, newId, log, takers, onTaken: () => undefined });
  return {
    ...service,
    adminPages: mail.pages,
    async close() {
      await consumption?.stop();
      mail.transport.close();
      await service.close();
      await pool.end();
    },
  };
}
