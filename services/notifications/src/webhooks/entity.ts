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
    /** Sealed, like the previous secret, which also signs for a limited time. */
    secret: text,
    previousSecret: nullable(text),
    previousSecretUntil: nullable(timestamp),
    /** Sealed JSON of names to values; null if there are none. */
    headers: nullable(text),
    /** Names of the headers, which are not secret. */
    headerNames: texts,
    disabledAt: nullable(timestamp),
    disabledReason: nullable(typedText<"GONE" | "FAILING">()),
    /** First failed attempt since the last success; null after a success. */
    failingSince: nullable(timestamp),
    /** Failed attempts since the last success. */
    failureStreak: withDefault(integer, 0),
    createdAt: timestamp,
    modifiedAt: timestamp,
  },
  {
    primaryKey: ["applicationId"],
    checks: [{ name: "webhook_disabled_check", expression: "(disabled_at IS NULL) = (disabled_reason IS NULL)" }],
  },
);
