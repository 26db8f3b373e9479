import { enumName } from "@ems/kit/enum";
import { distinctIds } from "@ems/kit/id";
import type { Call } from "@ems/kit/rpc/call";
import {
  type CreateFactRequest,
  FactScopeSchema,
  FactStatus,
  FactStatusSchema,
} from "@ems/proto/catalog/v1/fact_service";
import type { Deps } from "../deps.ts";
import { newResource } from "../new-resource.ts";
import type { FactRow } from "./entity.ts";

/** Builds the rows of a new fact. A fact that belongs to a quickstart is a draft by default. */
export function newFact(deps: Pick<Deps, "clock" | "newId">, call: Call, request: CreateFactRequest) {
  const { quickstartId = null, sourceDocumentId = null, sourceQuote = null, generatedBy = null } = request;
  const { status = quickstartId === null ? FactStatus.ACTIVE : FactStatus.DRAFT, isVerified = false } = request;
  const row: FactRow = {
    ...newResource(deps, call),
    statement: request.statement,
    scope: enumName(FactScopeSchema, request.scope),
    status: enumName(FactStatusSchema, status),
    sourceQuote,
    sourceDocumentId,
    quickstartId,
    generatedBy,
    isVerified,
  };
  return { row, links: buildLinks(row, request.topicIds) };
}

/** Builds the rows that link a fact to topics. */
export const buildLinks = ({ applicationId, id }: Pick<FactRow, "applicationId" | "id">, topicIds: readonly string[]) =>
  distinctIds(topicIds).map((topicId) => ({ applicationId, factId: id, topicId }));
