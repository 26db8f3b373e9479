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
 * A job: an evaluation, a simulated prompt, a document test whose questions are to be chosen, or one of its questions.
 * The job has the id of the evaluation, test, document test or question. A question's `testId` is its document test.
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
    /** End of the lease of a worker, which also serves as the lease's token. */
    leasedUntil: nullable(timestamp),
    waitingFor: nullable(text),
    /** Usage of the calls made by earlier attempts. */
    consumed: nullable(json<Consumed>()),
    /** Replies to the calls of earlier attempts, so that a retry need not pay for them a second time. */
    replies: nullable(json<StoredReplies>()),
    /** Outcome that experiments has not yet acknowledged. */
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
