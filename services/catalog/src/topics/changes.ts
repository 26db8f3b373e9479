import { enumName } from "@ems/kit/enum";
import { assertResourceFits } from "@ems/kit/events/publish";
import { definedFields, numberOrNull, textOrNull } from "@ems/kit/patch";
import {
  TopicSchema,
  TopicStatusSchema,
  type UpdateTopicRequest,
  type UpdateTopicsRequest,
} from "@ems/proto/catalog/v1/topic_service";
import type { TopicRow } from "./entity.ts";

/** Returns the columns that a request for one topic or many changes. */
export function topicChanges(request: UpdateTopicRequest | UpdateTopicsRequest): Partial<TopicRow> {
  const { title, isInScope, isTasksVerified, isDocumentsVerified, isKnowledgeBaseVerified, isPoliciesVerified } =
    request;
  if (title !== undefined) assertResourceFits(TopicSchema, { title });
  return definedFields({
    title,
    baseline: numberOrNull(request.baseline),
    status: enumName<TopicRow["status"]>(TopicStatusSchema, request.status),
    isInScope,
    isTasksVerified,
    isDocumentsVerified,
    isKnowledgeBaseVerified,
    isPoliciesVerified,
    assignedTo: textOrNull(request.assignedTo),
  });
}
