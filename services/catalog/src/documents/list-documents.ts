import { type List, readList } from "@ems/kit/db/list";
import { pageOf, pagination } from "@ems/kit/db/page";
import { enumName } from "@ems/kit/enum";
import { invalidField } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import { type DocumentService, DocumentStatusSchema } from "@ems/proto/catalog/v1/document_service";
import { answerBytesMax } from "../answer-size.ts";
import type { Deps } from "../deps.ts";
import { activeDocument } from "./messages.ts";
import { type ActiveDocumentRow, activeDocumentColumns, activeDocuments, activeVersionOf } from "./queries.ts";

type Handler = Handlers<typeof DocumentService>["listDocuments"];

const orders = {
  createdAt: "d.created_at",
  modifiedAt: "d.modified_at",
  title: "v.title",
  status: "v.status",
  id: "d.id",
};

const list: List = {
  name: "documents",
  columns: activeDocumentColumns,
  from: activeDocuments,
  where: `d.application_id = $1 AND ($2::text[] IS NULL OR v.status = ANY ($2)) AND ($3::text IS NULL OR d.assignee = $3)
    AND ($4::uuid IS NULL OR d.topic_id = $4)`,
  tenant: "d.application_id",
  id: "d.id",
  search: { id: "v.id", find: "catalog.find_document_version" },
  // Texts are fetched only when they fit an answer.
  fits: `${answerBytesMax} >= (SELECT sum(v.size_bytes) FROM page
    JOIN (${activeDocuments}) ON d.application_id = $1 AND d.id = page.id)`,
};

/** A page of the caller's application's documents. */
export function listDocuments({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const page = pageOf(request, orders);
    const { status, assignee, topicId, search } = request;
    const filters = [
      call.tenant.applicationId,
      status.length === 0 ? null : status.map((one) => enumName(DocumentStatusSchema, one)),
      assignee ?? null,
      topicId ?? null,
    ];
    const { rows, total } = await readList<ActiveDocumentRow>(database, call, list, page, filters, search);
    if (rows.length === 0 && page.skip < total) {
      throw invalidField(["limit"], "These documents are larger than 3 MiB together, ask for fewer at once");
    }
    return {
      data: rows.map((row) => activeDocument(row, activeVersionOf(row))),
      pagination: pagination(page, total),
    };
  };
}
