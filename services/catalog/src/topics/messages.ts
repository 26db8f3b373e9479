// From catalog's rows to its messages.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type TopicSchema, TopicStatus } from "@ems/proto/catalog/v1/topic_service";
import type { Application } from "@ems/proto/identity/v1/application_service";
import type { UserReference } from "@ems/proto/type/v1/user_reference";
import { type TopicDefinition, topicEvalDefinition } from "../definitions/index.ts";
import type { TopicRow } from "./entity.ts";

/** A topic with what is counted live. */
export interface CountedTopic extends TopicRow {
  readonly taskCount: number;
  readonly documentCount: number;
}

/** A topic with all that an answer shows of it. */
export interface WholeTopic extends CountedTopic {
  readonly definitions: readonly TopicDefinition[];
}

export function topic(
  {
    baseline,
    assignedTo,
    createdAt,
    modifiedAt,
    taskCount,
    documentCount,
    status,
    definitions,
    quickstartId: _,
    ...same
  }: WholeTopic,
  users: ReadonlyMap<string, UserReference>,
  application: Application | undefined,
): MessageInitShape<typeof TopicSchema> {
  const assignedUser = assignedTo === null ? undefined : users.get(assignedTo);
  return {
    ...same,
    ...(baseline !== null && { baseline }),
    ...(assignedTo !== null && { assignedTo }),
    ...(assignedUser !== undefined && { assignedUser }),
    status: TopicStatus[status],
    createdAt: timestampFromDate(createdAt),
    modifiedAt: timestampFromDate(modifiedAt),
    taskCount: BigInt(taskCount),
    evalDefinitions: definitions.map((one) => topicEvalDefinition(same.id, one, application)),
    documentCount: BigInt(documentCount),
  };
}
