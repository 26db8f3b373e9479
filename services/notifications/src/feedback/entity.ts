import { EntitySchema } from "typeorm";

/** What somebody told the team. */
export interface FeedbackRow {
  applicationId: string;
  id: string;
  orgId: string;
  /** Whose key it came by; null for a key without an owner. */
  userId: string | null;
  /** Sealed at `<application id>/feedback/<id>`. */
  text: string;
  /**
   * `SENDING` long after it was begun: nobody knows whether it went out. What is not `SENT` is sent again only when an
   * operator has `ASKED` for it.
   */
  status: "SENDING" | "SENT" | "FAILED" | "ASKED";
  /** Why it did not go out; `IN_DOUBT` for what was asked for while nobody knew whether it had. */
  error: string | null;
  createdAt: Date;
  /** When an operator asked for it last, then when that was begun; by the database's clock. */
  askedAt: Date | null;
  sentAt: Date | null;
}

export const FeedbackEntity = new EntitySchema<FeedbackRow>({
  name: "Feedback",
  tableName: "feedback",
  schema: "notifications",
  columns: {
    applicationId: { type: "uuid", name: "application_id", primary: true, primaryKeyConstraintName: "feedback_pkey" },
    id: { type: "uuid", primary: true, primaryKeyConstraintName: "feedback_pkey" },
    orgId: { type: "text", name: "org_id" },
    userId: { type: "text", name: "user_id", nullable: true },
    text: { type: "text" },
    status: { type: "text" },
    error: { type: "text", nullable: true },
    createdAt: { type: "timestamptz", name: "created_at", precision: 3 },
    askedAt: { type: "timestamptz", name: "asked_at", precision: 3, nullable: true },
    sentAt: { type: "timestamptz", name: "sent_at", precision: 3, nullable: true },
  },
  checks: [
    { name: "feedback_status_check", expression: "status IN ('SENDING', 'SENT', 'FAILED', 'ASKED')" },
    { name: "feedback_sent_check", expression: "(status = 'SENT') = (sent_at IS NOT NULL)" },
    { name: "feedback_error_check", expression: "(status IN ('FAILED', 'ASKED')) = (error IS NOT NULL)" },
  ],
  indices: [
    { name: "feedback_recent", columns: ["applicationId", "createdAt"] },
    { name: "feedback_unsent", columns: ["createdAt"], where: "status <> 'SENT'" },
  ],
});
