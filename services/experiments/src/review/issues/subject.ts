import type { IssueRow } from "./entity.ts";

const about = ["testId", "traceId", "evalDefinitionId", "taskId", "topicId", "experimentId", "parentId"] as const;

export type Subject = Pick<IssueRow, "source" | "type" | (typeof about)[number]>;

/**
 * What an issue is about, in one text: two with the same one are the same issue. Null for one that names neither a test, a
 * trace nor a definition, of which people may have many to say; monitoring says one thing of a topic.
 */
export function subjectOf(row: Subject): string | null {
  const { source, type, testId, traceId, evalDefinitionId, topicId } = row;
  const named = [testId, traceId, evalDefinitionId, source === "MONITORING" ? topicId : null];
  if (named.every((id) => id === null)) return null;
  return [source, type, ...about.map((property) => row[property] ?? "")].join(" ");
}

/** Whether changes of an issue make it about something else. */
export const isAboutOther = (changes: Partial<IssueRow>) =>
  "type" in changes || about.some((property) => property in changes);
