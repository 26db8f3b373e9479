import type { Transaction } from "@ems/kit/db/transaction";
import { invalidField, notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { IssueService } from "@ems/proto/experiments/v1/issue_service";
import type { Deps } from "../../deps.ts";
import { changed, readChanges } from "./changes.ts";
import { checkReferences } from "./check-references.ts";
import { IssueEntity, type IssueRow, issueVersions } from "./entity.ts";
import { loadChangedIssues } from "./load-changed-issues.ts";

type Handler = Handlers<typeof IssueService>["updateIssue"];

/** Selects the new parent and all of its ancestors. */
const ancestors = `WITH RECURSIVE whole AS (
    SELECT id, parent_id FROM experiments.issue WHERE application_id = $1 AND id = $2
    UNION
    SELECT issue.id, issue.parent_id FROM whole JOIN experiments.issue ON issue.application_id = $1 AND issue.id = whole.parent_id
  ) SELECT FROM whole WHERE id = $3`;

const noReferences = {
  annotationId: null,
  evalDefinitionId: null,
  experimentId: null,
  parentId: null,
  taskId: null,
  testId: null,
  topicId: null,
  traceId: null,
};

/** Updates an issue. */
export function updateIssue({ database, stores, clock, references, users }: Deps): Handler {
  return async (request, call) => {
    const changes = readChanges(request);
    const check = () => checkReferences({ stores, references }, call, { ...noReferences, ...changes });
    const key = { applicationId: call.tenant.applicationId, id: request.id.toLowerCase() };
    return database.changeAfter(call, check, async (tx) => {
      const row = await tx.findOne(IssueEntity, key, { lock: "UPDATE" });
      if (row === null) throw notFound("Issue");
      issueVersions.check(call, row);
      await checkParent(tx, row, changes.parentId);
      const change = changed(row, changes, clock.now());
      if (Object.keys(change).length > 0) tx.deferUpdate(IssueEntity, key, change);
      issueVersions.answer(call, { ...row, ...change });
      const [data] = await loadChangedIssues({ users }, tx, call, [key.id]);
      return data === undefined ? {} : { data };
    });
  };
}

async function checkParent(tx: Transaction, { applicationId, id }: IssueRow, parentId?: string | null): Promise<void> {
  if (parentId === undefined || parentId === null) return;
  const found = await tx.query(ancestors, [applicationId, parentId, id]);
  if (found.length > 0) throw invalidField(["parentId"], "An issue cannot be part of itself or of its own parts");
}
