import { buildMessage } from "@ems/kit/message";
import { TopicSchema } from "@ems/proto/catalog/v1/topic_service";
import type { Application } from "@ems/proto/identity/v1/application_service";
import type { UserReference } from "@ems/proto/type/v1/user_reference";
import { type DefinitionLink, topicEvalDefinition } from "../definitions/index.ts";
import type { TopicRow } from "./entity.ts";

/** A topic with the current numbers of its tasks and documents. */
export type CountedTopic = TopicRow & { readonly taskCount: number; readonly documentCount: number };

/** A topic with its evaluation definitions. */
export type FullTopic = CountedTopic & { readonly definitions: readonly DefinitionLink[] };

/** Users and application that topics refer to, from identity. */
export interface TopicReferences {
  readonly users: ReadonlyMap<string, UserReference>;
  readonly application: Application | undefined;
}

export function topic({ definitions, ...row }: FullTopic, references?: TopicReferences) {
  return buildMessage(TopicSchema, {
    ...row,
    assignedUser: references?.users.get(row.assignedTo ?? ""),
    evalDefinitions: definitions.map((link) => topicEvalDefinition(row.id, link, references?.application)),
  });
}
