// From the rows of evaluation definitions to their messages.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  type EvalDefinitionSchema,
  EvalDefinitionType,
  type TopicEvalDefinitionSchema,
} from "@ems/proto/catalog/v1/eval_definition";
import type { Application } from "@ems/proto/identity/v1/application_service";
import type { EvalDefinitionRow } from "./entity.ts";

/** A definition with what it is linked to. */
export interface LinkedDefinition extends Omit<EvalDefinitionRow, "applicationId" | "orgId"> {
  /** Whether it is linked to the application. */
  readonly isLinked: boolean;
  /** Ids of the topics that it is linked to. */
  readonly topics: string[];
}

/** A topic's link to a definition. */
export interface TopicDefinition {
  readonly definition: LinkedDefinition;
  readonly expected: string | null;
}

/** `application` is the definition's own, shown when they are linked. */
export function evalDefinition(
  { type, criterion, styleGuideId, createdAt, modifiedAt, isLinked, id, name, topics }: LinkedDefinition,
  application: Application | undefined,
): MessageInitShape<typeof EvalDefinitionSchema> {
  return {
    id,
    name,
    topics,
    type: EvalDefinitionType[type],
    globalConfig: criterion === null ? {} : { criterion },
    ...(styleGuideId !== null && { styleGuideId }),
    ...(isLinked && application !== undefined && { application }),
    createdAt: timestampFromDate(createdAt),
    modifiedAt: timestampFromDate(modifiedAt),
  };
}

export function topicEvalDefinition(
  topicId: string,
  { definition, expected }: TopicDefinition,
  application: Application | undefined,
): MessageInitShape<typeof TopicEvalDefinitionSchema> {
  return {
    topicId,
    evalDefinition: evalDefinition(definition, application),
    config: expected === null ? {} : { expected },
  };
}
