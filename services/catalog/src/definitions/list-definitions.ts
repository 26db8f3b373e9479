import { create } from "@bufbuild/protobuf";
import { pageOf, pagination } from "@ems/kit/db/page";
import { enumName } from "@ems/kit/enum";
import type { Handlers } from "@ems/kit/rpc/service";
import { type DefinitionService, ListDefinitionsResponseSchema } from "@ems/proto/catalog/v1/definition_service";
import { EvalDefinitionTypeSchema } from "@ems/proto/catalog/v1/eval_definition";
import { requirePageFits } from "../answer-size.ts";
import type { Deps } from "../deps.ts";
import { linkedApplication } from "./application.ts";
import { evalDefinition, type LinkedDefinition } from "./messages.ts";
import { definitionColumns } from "./queries.ts";

type Handler = Handlers<typeof DefinitionService>["listDefinitions"];

const orders = {
  createdAt: "d.created_at",
  modifiedAt: "d.modified_at",
  name: "d.name",
  type: "d.type",
  id: "d.id",
};

const matching = `FROM catalog.eval_definition d
  WHERE d.application_id = $1 AND ($2::text[] IS NULL OR d.type = ANY ($2))
    AND ($3::uuid[] IS NULL OR d.id IN (SELECT l.definition_id FROM catalog.eval_definition_topic l
      WHERE l.application_id = $1 AND l.topic_id = ANY ($3)))`;

/** A page of the caller's application's evaluation definitions. */
export function listDefinitions({ database, applications }: Pick<Deps, "database" | "applications">): Handler {
  return async (request, call) => {
    const page = pageOf(request, orders);
    const types = request.type.map((type) => enumName(EvalDefinitionTypeSchema, type));
    const filters = [call.tenant.applicationId, orNull(types), orNull(request.topicId)];
    const [rows, counts] = await database.readAll(call, [
      {
        name: `list-definitions-${page.orderName}`,
        text: `SELECT ${definitionColumns} ${matching} ORDER BY ${page.orderBy} LIMIT $4 OFFSET $5`,
        values: [...filters, page.limit, page.skip],
      },
      { name: "count-definitions", text: `SELECT count(*)::int AS total ${matching}`, values: filters },
    ]);
    const definitions = rows as LinkedDefinition[];
    const application = await linkedApplication(applications, call, definitions);
    const answer = create(ListDefinitionsResponseSchema, {
      data: definitions.map((row) => evalDefinition(row, application)),
      pagination: pagination(page, counts?.[0]?.total ?? 0),
    });
    requirePageFits(ListDefinitionsResponseSchema, answer);
    return answer;
  };
}

/** A filter without values filters nothing. */
function orNull<T>(values: T[]): T[] | null {
  return values.length > 0 ? values : null;
}
