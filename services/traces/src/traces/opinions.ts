import type { Database } from "@ems/kit/db/database";
import type { Call } from "@ems/kit/rpc/call";
import { loadAttachments } from "../attachments/index.ts";
import { loadExternalEvaluations } from "../external-evaluations/index.ts";
import { loadFeedback } from "../feedback/index.ts";
import type { AnsweredTrace } from "./messages.ts";

type Opinions = Pick<AnsweredTrace, "feedback" | "externalEvaluations" | "attachments">;

/** Reads the feedback, external evaluations and attachments of traces, which are stored apart from traces. */
export async function loadOpinions(
  database: Database,
  call: Call,
  ids: readonly string[],
): Promise<(id: string) => Opinions> {
  const [feedback, evaluations, attachments] = await Promise.all([
    loadFeedback(database, call, ids),
    loadExternalEvaluations(database, call, ids),
    loadAttachments(database, call, ids),
  ]);
  return (id) => ({
    feedback: feedback.get(id),
    externalEvaluations: evaluations.get(id),
    attachments: attachments.get(id),
  });
}
