import { address, count, milliseconds, outboxConfig, readConfig, serviceConfig, z } from "@ems/kit/config";
import { checkDeliverySettings, deliverySettings } from "./deliveries/settings.ts";
import { mailAddress, mailbox } from "./mail/address.ts";

const mailboxText = (options?: { error: string }) =>
  z.string(options).transform((text, { addIssue }) => {
    const box = mailbox(text);
    if (box !== undefined) return box;
    addIssue("must be an e-mail address, or a name and the address in <>");
    return z.NEVER;
  });
const addressText = (options?: { error: string }) =>
  z.string(options).refine((text) => mailAddress(text) !== undefined, "must be an e-mail address");
const relayUrl = () =>
  z.string().refine(isRelayUrl, "must be smtp:// or smtps:// with user, password, host and port, and nothing behind");

const mailShape = {
  /** The mail relay: `smtp://user:password@host:587` (STARTTLS) or `smtps://…:465` (TLS from the start). None: no mail. */
  SMTP_URL: relayUrl().optional(),
  /** A file of certificates in PEM that the relay's may be signed by, beside the usual authorities. */
  SMTP_CA_FILE: z.string().optional(),
  /** Whom mails come from: an address, or a name and the address in <>. */
  MAIL_FROM: mailboxText().optional(),
  /** The address that gets feedback. */
  FEEDBACK_TO: addressText().optional(),
  /** How much feedback one application may give in an hour. */
  FEEDBACK_PER_HOUR_MAX: count().default(100),
  /** The address that is told when a webhook was disabled. */
  OPERATOR_TO: addressText().optional(),
  /** Where mails are kept as files, for want of a relay; readable at `/mail` of the admin port. */
  MAIL_DIR: z.string().optional(),
};
const missing = { error: "is required when SMTP_URL is set" };
const withRelay = { ...mailShape, MAIL_FROM: mailboxText(missing), FEEDBACK_TO: addressText(missing) };

const shape = {
  ...serviceConfig,
  ...outboxConfig,
  ...deliverySettings,
  /** Tests of one application's webhook that may be waited for at one time; one more is told to come again. */
  WEBHOOK_TESTS_MAX: count().default(4),
  /** On how many servers of the NATS cluster an event is stored; 3 where there are three. */
  NATS_REPLICAS: count().default(1),
  /** How often outboxes are compared with what came of them. */
  RECONCILE_MS: milliseconds().default(600_000),
  /** Keys that secrets are sealed with, `id:base64` of 32 bytes each: the first one seals, every one opens. */
  SEALING_KEYS: z
    .string()
    .regex(
      /^[\w-]+:[A-Za-z0-9+/]{43}=(,[\w-]+:[A-Za-z0-9+/]{43}=)*$/,
      "must be id:base64 of 32 bytes, separated by commas",
    ),
  ...mailShape,
};
const peersShape = { IDENTITY_ADDRESS: address() };

/** Every variable that the process reads. */
export const notificationsVariables = Object.keys({ ...shape, ...peersShape });

export type NotificationsConfig = ReturnType<typeof readConfig<typeof shape>>;

export function notificationsConfig(env: Record<string, string | undefined>): NotificationsConfig {
  const config = readConfig(env.SMTP_URL ? { ...shape, ...withRelay } : shape, env);
  checkDeliverySettings(config);
  return config;
}

/** Where the services are that notifications asks, when it runs as a process of its own. */
export function notificationsPeers(env: Record<string, string | undefined>) {
  const { IDENTITY_ADDRESS } = readConfig(peersShape, env);
  return { identity: IDENTITY_ADDRESS };
}

function isRelayUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === "") return false;
  const isBare = url.search === "" && url.hash === "" && /^\/?$/.test(url.pathname);
  return isBare && (url.username === "") === (url.password === "") && isEncoded(url.username + url.password);
}

/** Whether what is percent-encoded can be read. */
function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
