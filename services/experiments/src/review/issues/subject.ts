import type { IssueRow } from "./entity.ts";

const about = ["testId", "traceId", "evalDefinitionId", "taskId", "topicId", "experimentId", "parentId"] as const;

export type Subject = Pick<IssueRow, "source" | "type" | (typeof about)[number]>;

/**
 * Returns the subject of an issue as text; open issues with the same subject are merged. Null if the issue names no
 * test, trace or definition, since people may report several problems. Monitoring issues have one subject per topic.
 */
export function buildSubject(row: Subject): string | null {
  const { source, type, testId, traceId, evalDefinitionId, topicId } = row;
  const named = [testId, traceId, evalDefinitionId, source === "MONITORING" ? topicId : null];
  if (named.every((id) => id === null)) return null;
  return [source, type, ...about.map((property) => row[property] ?? "")].join(" ");
}

/** Returns true if the changes give the issue a different subject. */
export const isAboutOther = (changes: Partial<IssueRow>) =>
  "type" in changes || about.some((property) => property in changes);
