import { EntitySchema } from "typeorm";
import type { JobContent } from "./job-content.ts";

/** A mail that is to be sent, and tried again until it is out. */
export interface MailJobRow {
  applicationId: string;
  /** The id of the event that it tells of. */
  id: string;
  /** Who is to get it; empty for the operator. */
  userId: string;
  orgId: string;
  /** What it tells, in ids and titles. */
  content: JobContent;
  status: "PENDING" | "SENT" | "FAILED" | "SKIPPED";
  /** How many attempts were begun. */
  attempts: number;
  /** When the next attempt is due; null when none is. */
  nextAttemptAt: Date | null;
  /** Until then a mailer has it in hand. */
  leasedUntil: Date | null;
  /** What kept the last attempt from sending, or why none is made. */
  lastError: string | null;
  createdAt: Date;
  finishedAt: Date | null;
}

const key = { primary: true, primaryKeyConstraintName: "mail_job_pkey" };

export const MailJobEntity = new EntitySchema<MailJobRow>({
  name: "MailJob",
  tableName: "mail_job",
  schema: "notifications",
  columns: {
    applicationId: { type: "uuid", name: "application_id", ...key },
    id: { type: "uuid", ...key },
    userId: { type: "text", name: "user_id", ...key },
    orgId: { type: "text", name: "org_id" },
    content: { type: "jsonb" },
    status: { type: "text", default: "PENDING" },
    attempts: { type: "integer", default: 0 },
    nextAttemptAt: { type: "timestamptz", name: "next_attempt_at", precision: 3, nullable: true },
    leasedUntil: { type: "timestamptz", name: "leased_until", precision: 3, nullable: true },
    lastError: { type: "text", name: "last_error", nullable: true },
    createdAt: { type: "timestamptz", name: "created_at", precision: 3 },
    finishedAt: { type: "timestamptz", name: "finished_at", precision: 3, nullable: true },
  },
  checks: [
    { name: "mail_job_status_check", expression: "status IN ('PENDING', 'SENT', 'FAILED', 'SKIPPED')" },
    { name: "mail_job_due_check", expression: "(status = 'PENDING') = (next_attempt_at IS NOT NULL)" },
    { name: "mail_job_finished_check", expression: "(status = 'PENDING') = (finished_at IS NULL)" },
  ],
  indices: [
    { name: "mail_job_due", columns: ["nextAttemptAt"], where: "status = 'PENDING'" },
    { name: "mail_job_finished", columns: ["finishedAt"], where: "finished_at IS NOT NULL" },
  ],
});
