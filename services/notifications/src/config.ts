import {
  ConfigError,
  count,
  defineConfig,
  milliseconds,
  outboxConfig,
  readConfig,
  sealingConfig,
  serviceConfig,
} from "@ems/kit/config";
import { checkDeliverySettings, deliverySettings } from "./deliveries/settings.ts";
import { exportSettings } from "./exports/settings.ts";
import { mailSettings, relaySettings } from "./mail/settings.ts";

const shape = {
  ...serviceConfig,
  // Database connections for the outbox, deliveries and mails. A reconciliation holds one while it uses others.
  ...outboxConfig({ connections: 10, connectionsMin: 2 }),
  ...deliverySettings,
  WEBHOOK_TESTS_MAX: count()
    .default(4)
    .describe("Maximum number of concurrently awaited webhook tests per application; more are rejected."),
  NATS_REPLICAS: count().default(1).describe("Replicas of the event stream: 3 in a NATS cluster of three servers."),
  RECONCILE_MS: milliseconds().default(600_000).describe("Interval at which outboxes are compared with the inbox."),
  ...exportSettings,
  ...sealingConfig,
  ...mailSettings,
};

export const { settings: notificationsSettings, peers: notificationsPeers } = defineConfig(shape, [
  "identity",
  "traces",
  "experiments",
  "traces",
]);

export type NotificationsConfig = ReturnType<typeof readConfig<typeof shape>>;

export function notificationsConfig(env: Record<string, string | undefined>): NotificationsConfig {
  if (env.WEBHOOK_KEEP_DAYS) throw new ConfigError(["WEBHOOK_KEEP_DAYS: is called RETENTION_DAYS_DELIVERIES"]);
  const config = readConfig(env.SMTP_URL ? { ...shape, ...relaySettings } : shape, env);
  checkDeliverySettings(config);
  return config;
}
