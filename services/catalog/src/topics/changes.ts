import { enumName } from "@ems/kit/enum";
import { assertResourceFits } from "@ems/kit/events/publish";
import { given, numberOrNull, textOrNull } from "@ems/kit/given";
import {
  TopicSchema,
  TopicStatusSchema,
  type UpdateTopicRequest,
  type UpdateTopicsRequest,
} from "@ems/proto/catalog/v1/topic_service";
import type { TopicRow } from "./entity.ts";

type Changed =
  | "title"
  | "baseline"
  | "status"
  | "isInScope"
  | "isTasksVerified"
  | "isDocumentsVerified"
  | "isKnowledgeBaseVerified"
  | "isPoliciesVerified"
  | "assignedTo";

/** What a request changes about a topic, or about many in the same way. */
export function topicChanges(request: UpdateTopicRequest | UpdateTopicsRequest): Partial<Pick<TopicRow, Changed>> {
  const { title, status, isInScope, isTasksVerified, isDocumentsVerified } = request;
  const { isKnowledgeBaseVerified, isPoliciesVerified } = request;
  if (title !== undefined) assertResourceFits(TopicSchema, { title });
  return given<Pick<TopicRow, Changed>>({
    title,
    baseline: numberOrNull(request.baseline),
    status: enumName(TopicStatusSchema, status),
    isInScope,
    isTasksVerified,
    isDocumentsVerified,
    isKnowledgeBaseVerified,
    isPoliciesVerified,
    assignedTo: textOrNull(request.assignedTo),
  });
}
