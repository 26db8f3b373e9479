import { create } from "@bufbuild/protobuf";
import { listOf, listPage } from "@ems/kit/db/list";
import { enumNames } from "@ems/kit/enum";
import { someOf } from "@ems/kit/given";
import type { Handlers } from "@ems/kit/rpc/service";
import { type DefinitionService, ListDefinitionsResponseSchema } from "@ems/proto/catalog/v1/definition_service";
import { EvalDefinitionTypeSchema } from "@ems/proto/catalog/v1/eval_definition";
import { requirePageFits } from "../answer-size.ts";
import type { Deps } from "../deps.ts";
import { linkedApplication } from "./application.ts";
import { EvalDefinitionEntity, type EvalDefinitionRow } from "./entity.ts";
import { evalDefinition, type LinkedDefinition } from "./messages.ts";
import { definitionColumns } from "./queries.ts";

type Handler = Handlers<typeof DefinitionService>["listDefinitions"];

const list = listOf<EvalDefinitionRow, LinkedDefinition>(EvalDefinitionEntity, {
  alias: "d",
  columns: definitionColumns,
  where: `($2::text[] IS NULL OR d.type = ANY ($2))
    AND ($3::uuid[] IS NULL OR d.id IN (SELECT l.definition_id FROM catalog.eval_definition_topic l
      WHERE l.application_id = $1 AND l.topic_id = ANY ($3)))`,
});

/** A page of the caller's application's evaluation definitions. */
export function listDefinitions({ database, applications }: Pick<Deps, "database" | "applications">): Handler {
  return async (request, call) => {
    const filters = [enumNames(EvalDefinitionTypeSchema, request.type), someOf(request.topicId)];
    const { rows, pagination } = await listPage(database, call, list, request, filters);
    const application = await linkedApplication(applications, call, rows);
    const answer = create(ListDefinitionsResponseSchema, {
      data: rows.map((row) => evalDefinition(row, application)),
      pagination,
    });
    requirePageFits(ListDefinitionsResponseSchema, answer);
    return answer;
  };
}
