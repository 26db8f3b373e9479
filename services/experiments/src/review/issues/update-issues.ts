import { notFound } from "@ems/kit/errors";
import { distinctIds } from "@ems/kit/id";
import { forward } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { IssueService } from "@ems/proto/experiments/v1/issue_service";
import { In } from "typeorm";
import type { Deps } from "../../deps.ts";
import { changed, readSharedChanges } from "./changes.ts";
import { IssueEntity } from "./entity.ts";
import { loadChangedIssues } from "./load-changed-issues.ts";

type Handler = Handlers<typeof IssueService>["updateIssues"];

/** Updates all of the issues, or none of them if any is not found. */
export function updateIssues({ database, clock, references, users }: Deps): Handler {
  return async (request, call) => {
    const changes = readSharedChanges(request);
    const { applicationId } = call.tenant;
    const ids = distinctIds(request.issueIds);
    const check = async () => {
      if (typeof changes.topicId !== "string") return;
      const { missingTopicIds } = await references.checkReferences({ topicIds: [changes.topicId] }, forward(call));
      if (missingTopicIds.length > 0) throw notFound("Topic");
    };
    return database.changeAfter(call, check, async (tx) => {
      // Locks the rows in id order, which prevents deadlocks.
      const rows = await tx.find(
        IssueEntity,
        { applicationId, id: In(ids) },
        { orderBy: { id: "ASC" }, lock: "UPDATE" },
      );
      if (rows.length < ids.length) throw notFound("Issue");
      for (const row of rows) {
        const change = changed(row, changes, clock.now());
        if (Object.keys(change).length > 0) tx.deferUpdate(IssueEntity, { applicationId, id: row.id }, change);
      }
      return { data: await loadChangedIssues({ users }, tx, call, ids) };
    });
  };
}
