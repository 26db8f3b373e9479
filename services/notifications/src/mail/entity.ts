import {
  integer,
  jsonb,
  nullable,
  oneOf,
  type Row,
  table,
  text,
  timestamp,
  uuid,
  withDefault,
} from "@ems/kit/db/table";
import type { JobContent } from "./job-content.ts";

export type MailJobRow = Row<typeof MailJobEntity>;

/** Queue of mails to send. */
export const MailJobEntity = table(
  "notifications.mail_job",
  {
    applicationId: uuid,
    /** ID of the event that caused the mail. */
    id: uuid,
    /** Recipient; empty for the operator, and for an invited person who is not a user yet. */
    userId: text,
    orgId: text,
    content: jsonb<JobContent>(),
    status: withDefault(oneOf("PENDING", "SENT", "FAILED", "SKIPPED"), "PENDING"),
    /** Number of attempts that were started. */
    attempts: withDefault(integer, 0),
    nextAttemptAt: nullable(timestamp),
    leasedUntil: nullable(timestamp),
    lastError: nullable(text),
    createdAt: timestamp,
    finishedAt: nullable(timestamp),
  },
  {
    primaryKey: ["applicationId", "id", "userId"],
    checks: [
      { name: "mail_job_due_check", expression: "(status = 'PENDING') = (next_attempt_at IS NOT NULL)" },
      { name: "mail_job_finished_check", expression: "(status = 'PENDING') = (finished_at IS NULL)" },
    ],
    indices: [
      { name: "mail_job_due", columns: ["applicationId", "nextAttemptAt"], where: "next_attempt_at IS NOT NULL" },
      { name: "mail_job_finished", columns: ["finishedAt"], where: "finished_at IS NOT NULL" },
    ],
  },
);
