import { create } from "@bufbuild/protobuf";
import { defineList, listPage, nonEmptyOrNull } from "@ems/kit/db/list";
import { enumName, enumNames } from "@ems/kit/enum";
import { distinctIds } from "@ems/kit/id";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  DefinitionOrderSchema,
  DefinitionScope,
  type DefinitionService,
  EvaluatedStatusSchema,
  ListDefinitionsResponseSchema,
} from "@ems/proto/catalog/v1/definition_service";
import {
  EvalDefinitionStatus,
  EvalDefinitionStatusSchema,
  EvalDefinitionTypeSchema,
} from "@ems/proto/catalog/v1/eval_definition";
import type { Deps } from "../deps.ts";
import { assertPageFits } from "../sizes.ts";
import { linkedApplication } from "./application.ts";
import { EvalDefinitionEntity, type EvalDefinitionRow } from "./entity.ts";
import { evalDefinition, type LinkedDefinition } from "./messages.ts";
import { definitionColumns } from "./queries.ts";

const list = defineList<EvalDefinitionRow, LinkedDefinition>(EvalDefinitionEntity, {
  alias: "definition",
  orderBy: DefinitionOrderSchema,
  columns: definitionColumns,
  where: {
    type: "definition.type = ANY (?)",
    state: "definition.status = ?",
    quickstart: "definition.quickstart_id = ANY (?)",
    isTopics: `EXISTS (SELECT FROM catalog.eval_definition_topic link
      WHERE link.application_id = $1 AND link.definition_id = definition.id) = ?`,
    isApplications: `EXISTS (SELECT FROM catalog.eval_definition_application link
      WHERE link.application_id = $1 AND link.definition_id = definition.id) = ?`,
    status: `definition.id IN (SELECT evaluated.definition_id FROM catalog.evaluated_definition_v1 evaluated
      WHERE evaluated.application_id = $1 AND evaluated.status = ANY (?))`,
    traceId: `definition.id IN (SELECT traced.definition_id FROM catalog.trace_definition_v1 traced
      WHERE traced.application_id = $1
        AND (traced.trace_id = ANY ((?::text[])::uuid[]) OR traced.reference_id = ANY (?::text[])))`,
    search: "strpos(lower(definition.name), lower(?)) > 0",
    styleGuideId: "definition.style_guide_id = ANY (?)",
    taskId: `definition.id IN (SELECT link.definition_id FROM catalog.eval_definition_task link
      WHERE link.application_id = $1 AND link.task_id = ANY (?))`,
    topicId: `definition.id IN (SELECT link.definition_id FROM catalog.eval_definition_topic link
      WHERE link.application_id = $1 AND link.topic_id = ANY (?))`,
  },
});

export function listDefinitions({
  database,
  applications,
}: Deps): Handlers<typeof DefinitionService>["listDefinitions"] {
  return async (request, call) => {
    const scopeType = request.topicId.length === 0 ? request.scopeType : undefined;
    const filters = {
      state: enumName(EvalDefinitionStatusSchema, request.definitionStatus ?? EvalDefinitionStatus.ACTIVE),
      quickstart: nonEmptyOrNull(request.quickstartId),
      isTopics: scopeType === DefinitionScope.TOPIC ? true : null,
      isApplications: scopeType === DefinitionScope.APPLICATION ? true : null,
      status: enumNames(EvaluatedStatusSchema, request.status),
      traceId: nonEmptyOrNull(distinctIds(request.traceId)),
      search: request.search === undefined || request.search === "" ? null : request.search,
      styleGuideId: nonEmptyOrNull(request.styleGuideId),
      taskId: nonEmptyOrNull(request.taskId),
      type: enumNames(EvalDefinitionTypeSchema, request.type),
      topicId: nonEmptyOrNull(request.topicId),
    };
    const { rows, pagination } = await listPage(database, call, list, request, filters);
    const application = await linkedApplication(applications, call, rows);
    const data = rows.map((row) => evalDefinition(row, application));
    const answer = create(ListDefinitionsResponseSchema, { data, pagination });
    assertPageFits(ListDefinitionsResponseSchema, answer);
    return answer;
  };
}
