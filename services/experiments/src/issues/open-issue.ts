import type { Transaction } from "@ems/kit/db/transaction";
import type { Call } from "@ems/kit/rpc/call";
import type { Deps } from "../deps.ts";
import { IssueEntity, type IssueRow } from "./entity.ts";
import { issue } from "./messages.ts";

/** What an issue has of its own; it is about nothing else. */
export type NewIssue = Pick<IssueRow, "title" | "source" | "type"> & Partial<IssueRow>;

/** Inserts an issue of the call's application, with its event. */
export async function openIssue(
  { publish, clock, newId }: Pick<Deps, "publish" | "clock" | "newId">,
  tx: Transaction,
  { tenant }: Call,
  fields: NewIssue,
): Promise<IssueRow> {
  const now = clock.now();
  const about = { annotationId: null, evalDefinitionId: null, experimentId: null, parentId: null };
  const row: IssueRow = {
    ...{ applicationId: tenant.applicationId, id: newId(), orgId: tenant.orgId },
    ...{ description: null, priority: "MEDIUM", status: "OPEN", assignedTo: null },
    ...{ ...about, taskId: null, testId: null, topicId: null, traceId: null },
    ...{ createdAt: now, modifiedAt: now },
    ...fields,
  };
  await tx.insert(IssueEntity, row);
  await publish(tx, tenant, { case: "issueCreated", value: issue({ ...row, issues: [] }, new Map()) });
  return row;
}
