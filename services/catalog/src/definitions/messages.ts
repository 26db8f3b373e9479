import { messageOf } from "@ems/kit/message";
import { EvalDefinitionSchema, TopicEvalDefinitionSchema } from "@ems/proto/catalog/v1/eval_definition";
import type { Application } from "@ems/proto/identity/v1/application_service";
import type { EvalDefinitionRow } from "./entity.ts";

/** A definition with its links. */
export type LinkedDefinition = EvalDefinitionRow & {
  /** Whether it is linked to its application. */
  readonly isLinked: boolean;
  /** Ids of the topics that it is linked to. */
  readonly topics: string[];
};

/** A topic's link to a definition. */
export interface TopicDefinition {
  readonly definition: LinkedDefinition;
  readonly expected: string | null;
}

/** `application` is the definition's own, shown when they are linked. */
export function evalDefinition(row: LinkedDefinition, application?: Application) {
  return messageOf(EvalDefinitionSchema, {
    ...row,
    globalConfig: row.criterion === null ? {} : { criterion: row.criterion },
    application: row.isLinked ? application : undefined,
  });
}

export function topicEvalDefinition(
  topicId: string,
  { definition, expected }: TopicDefinition,
  application?: Application,
) {
  return messageOf(TopicEvalDefinitionSchema, {
    topicId,
    evalDefinition: evalDefinition(definition, application),
    config: expected === null ? {} : { expected },
  });
}
