import type { Database } from "@ems/kit/db/database";
import type { Call } from "@ems/kit/rpc/call";
import { loadExternalEvaluations } from "../external-evaluations/index.ts";
import { loadFeedback } from "../feedback/index.ts";
import type { AnsweredTrace } from "./messages.ts";

type Opinions = Pick<AnsweredTrace, "feedback" | "externalEvaluations">;

/** Reads the feedback and external evaluations of traces, which are stored apart from traces. */
export async function loadOpinions(
  database: Database,
  call: Call,
  ids: readonly string[],
): Promise<(id: string) => Opinions> {
  const [feedback, evaluations] = await Promise.all([
    loadFeedback(database, call, ids),
    loadExternalEvaluations(database, call, ids),
  ]);
  return (id) => ({ feedback: feedback.get(id), externalEvaluations: evaluations.get(id) });
}
