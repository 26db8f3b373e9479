// Stores and deletes feedback.

import type { Transaction } from "@ems/kit/db/transaction";
import { makeStorable } from "@ems/kit/readers";
import type { Redactor } from "@ems/kit/redaction";
import { endUserKey } from "@ems/traces-client";
import { FeedbackEntity, type FeedbackRow } from "./entity.ts";

/** Feedback as received. */
export interface Feedback extends Pick<FeedbackRow, "id" | "traceId" | "thumb" | "score" | "source" | "createdAt"> {
  readonly comment: string | null;
  readonly user: string | null;
}

interface Owner {
  readonly applicationId: string;
  readonly orgId: string;
}

/** Applies the application's redaction rules to the comments. */
export async function redactFeedback(
  redactor: Redactor | undefined,
  applicationId: string,
  received: readonly Feedback[],
): Promise<readonly Feedback[]> {
  if (redactor === undefined || received.length === 0) return received;
  return redactor.redact(applicationId, "feedback", function* (redaction) {
    const redacted: Feedback[] = [];
    for (const feedback of received) {
      const comment = feedback.comment === null ? null : yield* redaction.text(feedback.comment);
      redacted.push({ ...feedback, comment });
    }
    return redacted;
  });
}

/** Builds the row of feedback. */
export function feedbackRow({ applicationId, orgId }: Owner, { comment, user, ...feedback }: Feedback): FeedbackRow {
  const endUser = user === null || user === "" ? null : makeStorable(user);
  return {
    ...feedback,
    applicationId,
    orgId,
    comment: comment === null ? null : makeStorable(comment),
    endUser,
    endUserKey: endUser === null ? null : endUserKey(applicationId, endUser),
  };
}

/** Stores feedback; repeated feedback with the same id changes nothing. */
export async function storeFeedback(tx: Transaction, owner: Owner, received: readonly Feedback[]): Promise<void> {
  if (received.length === 0) return;
  const rows = [...new Map(received.map((feedback) => [feedback.id, feedbackRow(owner, feedback)])).values()];
  await tx.insert(
    FeedbackEntity,
    rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    "ignore",
  );
}
