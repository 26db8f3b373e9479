import { EntitySchema } from "typeorm";

/** An application's webhook. */
export interface WebhookRow {
  applicationId: string;
  id: string;
  orgId: string;
  url: string;
  /** Sealed at `<application id>/secret`. */
  secret: string;
  /** The secret before this one, sealed at the same place, and until when it signs too. */
  previousSecret: string | null;
  previousSecretUntil: Date | null;
  /** JSON of names to values, sealed at `<application id>/headers`; null for none. */
  headers: string | null;
  /** Their names, which are no secret. */
  headerNames: string[];
  disabledAt: Date | null;
  disabledReason: "GONE" | "FAILING" | null;
  /** When the first of the attempts was that have failed since the last success; null while the last one succeeded. */
  failingSince: Date | null;
  /** How many attempts have failed since the last success. */
  failureStreak: number;
  createdAt: Date;
  modifiedAt: Date;
}

export const WebhookEntity = new EntitySchema<WebhookRow>({
  name: "Webhook",
  tableName: "webhook",
  schema: "notifications",
  columns: {
    applicationId: { type: "uuid", name: "application_id", primary: true, primaryKeyConstraintName: "webhook_pkey" },
    id: { type: "uuid" },
    orgId: { type: "text", name: "org_id" },
    url: { type: "text" },
    secret: { type: "text" },
    previousSecret: { type: "text", name: "previous_secret", nullable: true },
    previousSecretUntil: { type: "timestamptz", name: "previous_secret_until", precision: 3, nullable: true },
    headers: { type: "text", nullable: true },
    headerNames: { type: "text", name: "header_names", array: true },
    disabledAt: { type: "timestamptz", name: "disabled_at", precision: 3, nullable: true },
    disabledReason: { type: "text", name: "disabled_reason", nullable: true },
    failingSince: { type: "timestamptz", name: "failing_since", precision: 3, nullable: true },
    failureStreak: { type: "integer", name: "failure_streak", default: 0 },
    createdAt: { type: "timestamptz", name: "created_at", precision: 3 },
    modifiedAt: { type: "timestamptz", name: "modified_at", precision: 3 },
  },
  checks: [{ name: "webhook_disabled_check", expression: "(disabled_at IS NULL) = (disabled_reason IS NULL)" }],
});
