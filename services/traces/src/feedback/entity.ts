import {
  type Column,
  double,
  nullable,
  oneOf,
  type Row,
  storableText,
  table,
  text,
  timestamp,
  uuid,
} from "@ems/kit/db/table";

/** Name of the OpenTelemetry event with feedback. */
export const feedbackEvent = "ems.feedback";

export type FeedbackRow = Row<typeof FeedbackEntity>;

const thumb: Column<"UP" | "DOWN" | null> = {
  options: { type: "text", nullable: true },
  values: ["UP", "DOWN"],
};

/** Feedback of an end user on a trace, which may arrive later. Never mixed with annotations of reviewers. */
export const FeedbackEntity = table(
  "traces.feedback",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    traceId: uuid,
    thumb,
    /** On the application's own scale. */
    score: nullable(double),
    comment: nullable(storableText),
    /** The end user who gave it, and a key of fixed length. */
    endUser: nullable(storableText),
    endUserKey: nullable(uuid),
    source: oneOf("API", "OTLP"),
    createdAt: timestamp,
  },
  {
    indices: [
      { name: "feedback_trace", columns: ["applicationId", "traceId", "createdAt", "id"] },
      { name: "feedback_created", columns: ["applicationId", "createdAt", "id"] },
      {
        name: "feedback_end_user",
        columns: ["applicationId", "endUserKey"],
        where: "(end_user_key IS NOT NULL)",
      },
    ],
  },
);
