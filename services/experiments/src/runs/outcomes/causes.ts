// Maps the codes at the start of messages to the cause of an error. Pure. The evaluation service sets the codes:
// `model_error` is a request that the model's provider refuses each time.

export type TestErrorCause = "APPLICATION" | "CONFIGURATION" | "JUDGE";

const codes: Readonly<Record<TestErrorCause, readonly string[]>> = {
  /** The application gave no answer. */
  APPLICATION: ["no_output"],
  /** A setting is missing or wrong, so that a retry fails, too. */
  CONFIGURATION: ["no_webhook", "no_model_connection", "no_context", "model_error", "definition_deleted"],
  /** The model gave no verdict, or wrote no prompt. */
  JUDGE: [
    ...["model_unavailable", "rate_limited", "not_a_completion", "model_refused", "answer_filtered", "answer_cut"],
    ...["empty_answer", "answer_not_json", "invalid_answer", "evidence_missing", "attempts_exhausted"],
  ],
};

const causeOfCode = new Map(
  (Object.entries(codes) as [TestErrorCause, readonly string[]][]).flatMap(([cause, names]) =>
    names.map((name) => [name, cause] as const),
  ),
);
/** The first of several causes, because it must be mended first. */
const order: readonly TestErrorCause[] = ["APPLICATION", "CONFIGURATION", "JUDGE"];

/** Returns the first cause of the messages; `otherwise` is the cause of a message without a known code. */
export function findCause(messages: readonly (string | null)[], otherwise: TestErrorCause): TestErrorCause {
  const causes = messages.map((message) => causeOfCode.get(message?.split(":", 1)[0] ?? "") ?? otherwise);
  return order.find((cause) => causes.includes(cause)) ?? otherwise;
}

/** SQL, for PostgreSQL and ClickHouse, for the cause of a failed evaluation. */
export function evaluationCauseSql(evaluation: string): string {
  const has = (cause: TestErrorCause) =>
    codes[cause].map((code) => `${evaluation}.message LIKE '${code.replaceAll("_", "\\_")}:%'`).join(" OR ");
  return `CASE WHEN ${has("APPLICATION")} THEN 'APPLICATION' WHEN ${has("CONFIGURATION")} THEN 'CONFIGURATION' ELSE 'JUDGE' END`;
}
