import { nullable, oneOf, type Row, table, text, timestamp, uuid } from "@ems/kit/db/table";

export type FeedbackRow = Row<typeof FeedbackEntity>;

/** Feedback of users to the team. */
export const FeedbackEntity = table(
  "notifications.feedback",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    /** Owner of the API key; null for a key without one. */
    userId: nullable(text),
    /** Sealed. */
    text,
    /** `SENDING` long after its start: outcome unknown. `ASKED`: an operator requested a resend. */
    status: oneOf("SENDING", "SENT", "FAILED", "ASKED"),
    /** Error; `IN_DOUBT` if a resend was requested for an unknown outcome. */
    error: nullable(text),
    createdAt: timestamp,
    /** Time of the last resend request or its start, by the database's clock. */
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
