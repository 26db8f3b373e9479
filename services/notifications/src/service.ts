import type { ServiceDeps } from "@ems/kit/serve";
import { openService, type Service } from "@ems/kit/service";
import type { NotificationsConfig } from "./config.ts";
import { notificationsSchema } from "./schema.ts";

/** Notifications: webhooks and their deliveries, e-mail and feedback. */
export function createNotifications(config: NotificationsConfig, { log }: ServiceDeps): Promise<Service> {
  return openService(notificationsSchema, config, log, () => []);
}
