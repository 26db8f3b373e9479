import { address, count, milliseconds, outboxConfig, readConfig, serviceConfig, z } from "@ems/kit/config";
import { checkDeliverySettings, deliverySettings } from "./deliveries/settings.ts";
import { mailSettings, relaySettings } from "./mail/settings.ts";

const shape = {
  ...serviceConfig,
  ...outboxConfig,
  ...deliverySettings,
  /** How many tests of one application's webhook may be waited for at a time; more are rejected. */
  WEBHOOK_TESTS_MAX: count().default(4),
  /** Replicas of the event stream: 3 in a NATS cluster of three. */
  NATS_REPLICAS: count().default(1),
  /** How often outboxes are compared with the inbox. */
  RECONCILE_MS: milliseconds().default(600_000),
  /** Keys that secrets are sealed with, `id:base64` of 32 bytes each: the first one seals, every one opens. */
  SEALING_KEYS: z
    .string()
    .regex(
      /^[\w-]+:[A-Za-z0-9+/]{43}=(,[\w-]+:[A-Za-z0-9+/]{43}=)*$/,
      "must be id:base64 of 32 bytes, separated by commas",
    ),
  ...mailSettings,
};
const peersShape = { IDENTITY_ADDRESS: address() };

/** Every variable that the process reads. */
export const notificationsVariables = Object.keys({ ...shape, ...peersShape });

export type NotificationsConfig = ReturnType<typeof readConfig<typeof shape>>;

export function notificationsConfig(env: Record<string, string | undefined>): NotificationsConfig {
  const config = readConfig(env.SMTP_URL ? { ...shape, ...relaySettings } : shape, env);
  checkDeliverySettings(config);
  return config;
}

/** The addresses of the services that notifications calls, when it is a process of its own. */
export function notificationsPeers(env: Record<string, string | undefined>) {
  const { IDENTITY_ADDRESS } = readConfig(peersShape, env);
  return { identity: IDENTITY_ADDRESS };
}
