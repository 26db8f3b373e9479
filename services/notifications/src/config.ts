import { address, readConfig, serviceConfig, z } from "@ems/kit/config";
import { checkDeliverySettings, deliverySettings } from "./delivery/settings.ts";

const shape = {
  ...serviceConfig,
  ...deliverySettings,
  /** Keys that secrets are sealed with, `id:base64` of 32 bytes each: the first one seals, every one opens. */
  SEALING_KEYS: z
    .string()
    .regex(
      /^[\w-]+:[A-Za-z0-9+/]{43}=(,[\w-]+:[A-Za-z0-9+/]{43}=)*$/,
      "must be id:base64 of 32 bytes, separated by commas",
    ),
};
const peersShape = { IDENTITY_ADDRESS: address() };

export type NotificationsConfig = ReturnType<typeof readConfig<typeof shape>>;

export function notificationsConfig(env: Record<string, string | undefined>): NotificationsConfig {
  const config = readConfig(shape, env);
  checkDeliverySettings(config);
  return config;
}

/** Where the services are that notifications asks, when it runs as a process of its own. */
export function notificationsPeers(env: Record<string, string | undefined>) {
  const { IDENTITY_ADDRESS } = readConfig(peersShape, env);
  return { identity: IDENTITY_ADDRESS };
}
