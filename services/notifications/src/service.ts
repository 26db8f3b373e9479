import { relayPool } from "@ems/kit/db/relay-pool";
import type { ServiceDeps } from "@ems/kit/serve";
import { openService, type Service } from "@ems/kit/service";
import type { NotificationsConfig } from "./config.ts";
import { consumeEvents } from "./consumers/consume.ts";
import { deliveries } from "./consumers/deliveries.ts";
import { notificationsSchema } from "./schema.ts";

/** How many attempts a delivery gets. */
const scheduleSteps = 10;

/** Notifications: webhooks and their deliveries, e-mail and feedback. */
export async function createNotifications(
  config: NotificationsConfig,
  { log, bus, clock, newId }: ServiceDeps,
): Promise<Service> {
  const service = await openService(notificationsSchema, config, { log, bus }, () => []);
  const pool = relayPool({ url: config.RELAY_DATABASE_URL, poolMax: config.DATABASE_POOL_MAX, log });
  const takers = [deliveries({ clock, scheduleSteps })];
  const consumption = bus && consumeEvents({ bus, pool, clock, newId, log, takers, onTaken: () => undefined });
  return {
    ...service,
    close: async () => {
      await consumption?.stop();
      await service.close();
      await pool.end();
    },
  };
}
