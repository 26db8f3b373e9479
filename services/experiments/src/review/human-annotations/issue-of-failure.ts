import type { Transaction } from "@ems/kit/db/transaction";
import type { Call } from "@ems/kit/rpc/call";
import type { Deps } from "../../deps.ts";
import { IssueEntity, openIssue } from "../issues/index.ts";
import { listCriteria, type NamesOfCriteria, withCriteria } from "./criteria-text.ts";
import { HumanAnnotationEntity, type HumanAnnotationRow } from "./entity.ts";

const titleLengthMax = 120;
const failuresOfIssue = `SELECT h.id, h.definition_id AS "definitionId" FROM experiments.human_annotation h
  WHERE h.application_id = $1 AND h.issue_id = $2 AND NOT h.verdict ORDER BY h.created_at, h.id`;

type Failure = Pick<HumanAnnotationRow, "id" | "definitionId">;

/**
 * Returns the issue id of the annotation. If it, or another one of its pass, fails the trace and they have no open
 * issue, creates one. The issue lists the criteria that its annotations fail.
 */
export async function issueOfFailures(
  deps: Pick<Deps, "publish" | "clock" | "newId">,
  tx: Transaction,
  call: Call,
  row: HumanAnnotationRow,
  siblings: readonly HumanAnnotationRow[],
  names: NamesOfCriteria,
): Promise<string | null> {
  const { applicationId, id, traceId, testId, taskId, topicId, critique } = row;
  const pass = [row, ...siblings];
  const failed = pass.filter(({ verdict }) => !verdict);
  const earlier = await findOpenIssue(tx, row, pass);
  if (failed.length === 0 && earlier === undefined) return row.issueId;
  const issue =
    earlier ??
    (await openIssue(deps, tx, call, {
      title: formatTitle(critique ?? ""),
      description: withCriteria(critique, listCriteria(failed, names)),
      source: "HUMAN_ANNOTATION",
      type: "HUMAN_ANNOTATION",
      traceId,
      testId,
      taskId,
      topicId,
    }));
  const stored = await tx.query<Failure>(failuresOfIssue, [applicationId, issue.id]);
  const inPass = new Set(pass.map((annotation) => annotation.id));
  const failures = [...stored.filter((failure) => !inPass.has(failure.id)), ...failed];
  const text = issue.description ?? critique;
  const withCritique = critique === null || (text ?? "").includes(critique) ? text : `${critique}\n\n${text}`;
  const description = withCriteria(withCritique, listCriteria(failures, names));
  const isHere = row.passId !== null || row.definitionId !== null;
  if (isHere && description !== issue.description)
    tx.deferUpdate(IssueEntity, { applicationId, id: issue.id }, { description, modifiedAt: deps.clock.now() });
  const issueId = row.verdict ? row.issueId : issue.id;
  if (issueId !== row.issueId) tx.deferUpdate(HumanAnnotationEntity, { applicationId, id }, { issueId });
  return issueId;
}

/** Returns the open issue of the annotation, else that of its pass. */
async function findOpenIssue(tx: Transaction, row: HumanAnnotationRow, pass: readonly HumanAnnotationRow[]) {
  const { applicationId } = row;
  for (const id of new Set(pass.flatMap(({ issueId }) => issueId ?? []))) {
    const open = await tx.findOne(IssueEntity, { applicationId, id, status: "OPEN" as const }, { lock: "UPDATE" });
    if (open !== null) return open;
  }
  return undefined;
}

/** Returns the critique on one line, truncated to the maximum length of a title. */
function formatTitle(critique: string): string {
  const line = critique.replaceAll(/\s+/g, " ").trim();
  if (line === "") return "A person failed the trace";
  const characters = [...line];
  return characters.length <= titleLengthMax ? line : `${characters.slice(0, titleLengthMax - 1).join("")}…`;
}
