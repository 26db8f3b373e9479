import {
  boolean,
  integer,
  json,
  nullable,
  oneOf,
  type Row,
  table,
  text,
  timestamp,
  uuid,
  withDefault,
} from "@ems/kit/db/table";
import type { Consumed, Outcome } from "./outcome.ts";
import type { StoredReplies } from "./stored-replies.ts";

export type JobRow = Row<typeof JobEntity>;

/**
 * Kinds of jobs: an evaluation (its id), a simulated prompt (the test's id), a document test whose questions are to be
 * chosen (its id), or one of its questions (its id; the document test is the test).
 */
export const JobEntity = table(
  "evaluation.job",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    kind: oneOf("JUDGE", "PROMPT", "DOCUMENTS", "QUESTION"),
    testId: uuid,
    needsModel: boolean,
    createdAt: timestamp,
    attempts: withDefault(integer, 0),
    nextAttemptAt: nullable(timestamp),
    /** End of a worker's lease, which is also its token. */
    leasedUntil: nullable(timestamp),
    waitingFor: nullable(text),
    /** Usage of calls of earlier attempts. */
    consumed: nullable(json<Consumed>()),
    /** Replies to calls of earlier attempts, which a retry does not pay for a second time. */
    replies: nullable(json<StoredReplies>()),
    /** Outcome that experiments has not acknowledged yet. */
    outcome: nullable(json<Outcome>()),
    finishedAt: nullable(timestamp),
  },
  {
    checks: [{ name: "job_due_check", expression: "(finished_at IS NULL) = (next_attempt_at IS NOT NULL)" }],
    indices: [
      {
        name: "job_due",
        columns: ["needsModel", "applicationId", "nextAttemptAt"],
        where: "next_attempt_at IS NOT NULL",
      },
      { name: "job_waiting", columns: ["applicationId", "waitingFor"], where: "waiting_for IS NOT NULL" },
      { name: "job_finished", columns: ["finishedAt"], where: "finished_at IS NOT NULL" },
    ],
  },
);
