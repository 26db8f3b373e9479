import { defineList, listPage, timeRange } from "@ems/kit/db/list";
import { enumNames } from "@ems/kit/enum";
import type { Handlers } from "@ems/kit/rpc/service";
import { DocumentTestStatusSchema, DocumentTestTypeSchema } from "@ems/proto/experiments/v1/document_test";
import { DocumentTestOrderSchema, type DocumentTestService } from "@ems/proto/experiments/v1/document_test_service";
import type { Deps } from "../../deps.ts";
import { DocumentTestEntity } from "./entity.ts";
import { documentTest } from "./messages.ts";

type Handler = Handlers<typeof DocumentTestService>["listDocumentTests"];

const list = defineList(DocumentTestEntity, {
  alias: "t",
  orderBy: DocumentTestOrderSchema,
  where: {
    type: "t.type = ANY (?)",
    status: "t.status = ANY (?)",
    from: "t.created_at >= ?",
    until: "t.created_at < ?",
    andFrom: "t.created_at >= ?",
    andUntil: "t.created_at < ?",
  },
});

/** Lists the document tests of the caller's application. */
export function listDocumentTests({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const other = timeRange({ startDate: request.start, endDate: request.end });
    const filters = {
      type: enumNames(DocumentTestTypeSchema, request.type),
      status: enumNames(DocumentTestStatusSchema, request.status),
      ...timeRange(request),
      andFrom: other.from,
      andUntil: other.until,
    };
    const { rows, pagination } = await listPage(database, call, list, request, filters);
    return { data: rows.map(documentTest), pagination };
  };
}
