import { messageOf } from "@ems/kit/message";
import { TopicSchema } from "@ems/proto/catalog/v1/topic_service";
import type { Application } from "@ems/proto/identity/v1/application_service";
import type { UserReference } from "@ems/proto/type/v1/user_reference";
import { type TopicDefinition, topicEvalDefinition } from "../definitions/index.ts";
import type { TopicRow } from "./entity.ts";

/** A topic with its live counts. */
export interface CountedTopic extends TopicRow {
  readonly taskCount: number;
  readonly documentCount: number;
}

/** A topic with its definitions. */
export interface WholeTopic extends CountedTopic {
  readonly definitions: readonly TopicDefinition[];
}

export function topic(
  { definitions, ...row }: WholeTopic,
  users: ReadonlyMap<string, UserReference>,
  application: Application | undefined,
) {
  const assignedUser = row.assignedTo === null ? undefined : users.get(row.assignedTo);
  const evalDefinitions = definitions.map((link) => topicEvalDefinition(row.id, link, application));
  return messageOf(TopicSchema, { ...row, assignedUser, evalDefinitions });
}
