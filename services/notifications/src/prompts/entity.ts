import { integer, nullable, type Row, table, text, timestamp, uuid, withDefault } from "@ems/kit/db/table";

export type PromptOutcomeRow = Row<typeof PromptOutcomeEntity>;

/** Outcomes of prompts, kept until experiments acknowledges them; the application's answer is stored nowhere else. */
export const PromptOutcomeEntity = table(
  "notifications.prompt_outcome",
  {
    applicationId: uuid,
    testId: uuid,
    orgId: text,
    /** Time of acceptance; null if the prompt could not be delivered. */
    acceptedAt: nullable(timestamp),
    durationMs: nullable(integer),
    /** JSON of the answer's body; null if it is not usable. */
    answer: nullable(text),
    /** Reason why the delivery failed, as a text for users. */
    failure: nullable(text),
    attempts: withDefault(integer, 0),
    nextAttemptAt: timestamp,
    leasedUntil: nullable(timestamp),
    createdAt: timestamp,
  },
  {
    primaryKey: ["applicationId", "testId"],
    checks: [{ name: "prompt_outcome_kind_check", expression: "(accepted_at IS NULL) = (failure IS NOT NULL)" }],
    indices: [
      { name: "prompt_outcome_due", columns: ["applicationId", "nextAttemptAt"] },
      { name: "prompt_outcome_created", columns: ["createdAt"] },
    ],
  },
);
