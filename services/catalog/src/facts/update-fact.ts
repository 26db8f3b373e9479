import { enumName } from "@ems/kit/enum";
import { invalidField, notFound } from "@ems/kit/errors";
import { definedFields, textOrNull } from "@ems/kit/patch";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  FactScopeSchema,
  type FactService,
  FactStatusSchema,
  type UpdateFactRequest,
} from "@ems/proto/catalog/v1/fact_service";
import type { Deps } from "../deps.ts";
import { rethrowMissingReference } from "../references/index.ts";
import { FactEntity, type FactRow, FactTopicEntity } from "./entity.ts";
import { fact, factVersions } from "./messages.ts";
import { buildLinks } from "./new-fact.ts";
import { factById } from "./queries.ts";

export function updateFact({ database, clock }: Deps): Handlers<typeof FactService>["updateFact"] {
  return (request, call) => {
    const answer = database.change(call, async (tx) => {
      const key = { applicationId: call.tenant.applicationId, id: request.id };
      const row = await tx.findOne(FactEntity, key, { lock: "UPDATE" });
      if (row === null) throw notFound("Fact");
      if (call.ifMatch !== undefined)
        factVersions.check(call, factById.only(await tx.query(factById.statement(call, row.id))));
      const change = readChanges(request);
      const topicIds = newTopicIds(request, change.scope ?? row.scope);
      if (topicIds !== undefined) {
        tx.deferDelete(FactTopicEntity, { applicationId: key.applicationId, factId: row.id });
        await tx.insert(FactTopicEntity, buildLinks(row, topicIds));
      }
      if (topicIds !== undefined || Object.keys(change).length > 0)
        tx.deferUpdate(FactEntity, key, { ...change, modifiedAt: clock.now() });
      const rows = await tx.commit(tx.query(factById.statement(call, row.id)));
      const stored = factById.only(rows);
      factVersions.answer(call, stored);
      return { data: fact(stored, true) };
    });
    return answer.catch(rethrowMissingReference);
  };
}

/** Returns the fact's new topics; undefined if they do not change. */
function newTopicIds(
  { topicIds, scope }: UpdateFactRequest,
  newScope: FactRow["scope"],
): readonly string[] | undefined {
  if (newScope === "APPLICATION" && topicIds !== undefined && topicIds.values.length > 0)
    throw invalidField(["topicIds"], "topicIds are not allowed for a fact of scope APPLICATION");
  if (newScope === "APPLICATION" && scope !== undefined) return [];
  return topicIds?.values;
}

function readChanges(request: UpdateFactRequest): Partial<FactRow> {
  const { statement, isVerified } = request;
  const document = textOrNull(request.sourceDocumentId);
  return definedFields({
    statement,
    scope: enumName<FactRow["scope"]>(FactScopeSchema, request.scope),
    status: enumName<FactRow["status"]>(FactStatusSchema, request.status),
    sourceQuote: textOrNull(request.sourceQuote),
    sourceDocumentId: document?.toLowerCase() ?? document,
    isVerified,
  });
}
