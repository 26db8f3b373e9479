import type { Transaction } from "@ems/kit/db/transaction";
import type { Call } from "@ems/kit/rpc/call";
import type { Deps } from "../../deps.ts";
import { IssueEntity, openIssue } from "../issues/index.ts";
import { HumanAnnotationEntity, type HumanAnnotationRow } from "./entity.ts";

const titleLengthMax = 120;

/** Returns the annotation's issue id. If the trace fails and the annotation has no open issue, creates one. */
export async function issueOfFailure(
  deps: Pick<Deps, "publish" | "clock" | "newId">,
  tx: Transaction,
  call: Call,
  row: HumanAnnotationRow,
): Promise<string | null> {
  const { applicationId, id, verdict, critique, issueId, traceId, testId, taskId, topicId } = row;
  if (verdict) return issueId;
  const isOpen = { applicationId, id: issueId ?? "", status: "OPEN" as const };
  if (issueId !== null && (await tx.exists(IssueEntity, isOpen))) return issueId;
  const opened = await openIssue(deps, tx, call, {
    title: formatTitle(critique ?? ""),
    description: critique,
    source: "HUMAN_ANNOTATION",
    type: "HUMAN_ANNOTATION",
    traceId,
    testId,
    taskId,
    topicId,
  });
  tx.deferUpdate(HumanAnnotationEntity, { applicationId, id }, { issueId: opened.id });
  return opened.id;
}

/** Returns the critique on one line, truncated to the maximum length of a title. */
function formatTitle(critique: string): string {
  const line = critique.replaceAll(/\s+/g, " ").trim();
  if (line === "") return "A person failed the trace";
  const characters = [...line];
  return characters.length <= titleLengthMax ? line : `${characters.slice(0, titleLengthMax - 1).join("")}…`;
}
