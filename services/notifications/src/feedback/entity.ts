import { nullable, oneOf, type Row, table, text, timestamp, uuid } from "@ems/kit/db/table";

export type FeedbackRow = Row<typeof FeedbackEntity>;

/** Feedback from users to the team. */
export const FeedbackEntity = table(
  "notifications.feedback",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    /** Owner of the API key; null if the key has none. */
    userId: nullable(text),
    /** Encrypted text. */
    text,
    /** `SENDING` long after its start means that the outcome is unknown. `ASKED`: an operator requested a resend. */
    status: oneOf("SENDING", "SENT", "FAILED", "ASKED"),
    /** Error code; `IN_DOUBT` if a resend was requested although the outcome is unknown. */
    error: nullable(text),
    createdAt: timestamp,
    /** Time when a resend was last requested or started, by the database's clock. */
    askedAt: nullable(timestamp),
    sentAt: nullable(timestamp),
  },
  {
    checks: [
      { name: "feedback_sent_check", expression: "(status = 'SENT') = (sent_at IS NOT NULL)" },
      { name: "feedback_error_check", expression: "(status IN ('FAILED', 'ASKED')) = (error IS NOT NULL)" },
    ],
    indices: [
      { name: "feedback_recent", columns: ["applicationId", "createdAt"] },
      { name: "feedback_unsent", columns: ["createdAt"], where: "status <> 'SENT'" },
    ],
  },
);
