import {
  integer,
  nullable,
  type Row,
  table,
  text,
  texts,
  timestamp,
  typedText,
  uuid,
  withDefault,
} from "@ems/kit/db/table";

export type WebhookRow = Row<typeof WebhookEntity>;

/** Webhooks of applications. */
export const WebhookEntity = table(
  "notifications.webhook",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    url: text,
    /** Encrypted secret. The previous secret is also encrypted, and continues to sign for a limited time. */
    secret: text,
    previousSecret: nullable(text),
    previousSecretUntil: nullable(timestamp),
    /** Encrypted JSON with header values by name; null if there are no headers. */
    headers: nullable(text),
    /** Names of the headers, which are stored in plain text. */
    headerNames: texts,
    disabledAt: nullable(timestamp),
    disabledReason: nullable(typedText<"GONE" | "FAILING">()),
    /** Time of the first failed attempt since the last success; null after a success. */
    failingSince: nullable(timestamp),
    /** Number of failed attempts since the last success. */
    failureStreak: withDefault(integer, 0),
    createdAt: timestamp,
    modifiedAt: timestamp,
  },
  {
    primaryKey: ["applicationId"],
    checks: [{ name: "webhook_disabled_check", expression: "(disabled_at IS NULL) = (disabled_reason IS NULL)" }],
  },
);
