import { create } from "@bufbuild/protobuf";
import { defineList, listPage, nonEmptyOrNull } from "@ems/kit/db/list";
import { enumNames } from "@ems/kit/enum";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  FactOrderSchema,
  FactScopeSchema,
  type FactService,
  FactStatusSchema,
  ListFactsResponseSchema,
} from "@ems/proto/catalog/v1/fact_service";
import type { Deps } from "../deps.ts";
import { assertPageFits } from "../sizes.ts";
import { FactEntity, type FactRow } from "./entity.ts";
import { type FactWithTopics, fact } from "./messages.ts";
import { factColumns, topics } from "./queries.ts";

const list = defineList<FactRow, FactWithTopics>(FactEntity, {
  alias: "fact",
  orderBy: FactOrderSchema,
  columns: factColumns,
  where: {
    scope: "fact.scope = ANY (?)",
    status: "fact.status = ANY (?)",
    topicIds: `EXISTS (SELECT FROM catalog.fact_topic WHERE fact_topic.application_id = $1
      AND fact_topic.fact_id = fact.id AND fact_topic.topic_id = ANY (?::uuid[]))`,
    quickstartId: "fact.quickstart_id = ?",
    sourceDocumentId: "fact.source_document_id = ?",
    isVerified: "fact.is_verified = ?",
  },
  join: topics,
});

export function listFacts({ database }: Deps): Handlers<typeof FactService>["listFacts"] {
  return async (request, call) => {
    const { quickstartId, sourceDocumentId, isVerified, includeTopics = false } = request;
    const { rows, pagination } = await listPage(database, call, list, request, {
      scope: enumNames(FactScopeSchema, request.scope),
      status: enumNames(FactStatusSchema, request.status),
      topicIds: nonEmptyOrNull(request.topicId),
      quickstartId,
      sourceDocumentId,
      isVerified,
    });
    const answer = create(ListFactsResponseSchema, { data: rows.map((row) => fact(row, includeTopics)), pagination });
    assertPageFits(ListFactsResponseSchema, answer);
    return answer;
  };
}
