import { buildSelectList } from "@ems/kit/db/columns";
import { subIssuesMax } from "@ems/proto/limits";
import { IssueEntity } from "./entity.ts";

/** Selects the columns of IssueWithParts, for `experiments.issue issue` joined with `parts`. */
export const issueColumns = `${buildSelectList(IssueEntity, "issue")}, parts.issues`;

export const parts = `
  CROSS JOIN LATERAL (
    SELECT coalesce(json_agg(part ORDER BY part.created_at, part.id), '[]') AS issues FROM (
      SELECT i.id, i.title, i.status, i.created_at FROM experiments.issue i
      WHERE i.application_id = issue.application_id AND i.parent_id = issue.id
      ORDER BY i.created_at, i.id LIMIT ${subIssuesMax}
    ) part
  ) parts`;
