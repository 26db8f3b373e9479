import { listOf, listPage } from "@ems/kit/db/list";
import { enumNames } from "@ems/kit/enum";
import { invalidField } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import { type DocumentService, DocumentStatusSchema } from "@ems/proto/catalog/v1/document_service";
import { answerBytesMax } from "../answer-size.ts";
import type { Deps } from "../deps.ts";
import { DocumentEntity, type DocumentRow } from "./entity.ts";
import { activeDocument } from "./messages.ts";
import { type ActiveDocumentRow, activeDocumentColumns, activeDocuments, activeVersionOf } from "./queries.ts";

type Handler = Handlers<typeof DocumentService>["listDocuments"];

const list = listOf<DocumentRow, ActiveDocumentRow>(DocumentEntity, {
  alias: "d",
  columns: activeDocumentColumns,
  from: activeDocuments,
  orders: { title: "v.title", status: "v.status" },
  where: `($2::text[] IS NULL OR v.status = ANY ($2)) AND ($3::text IS NULL OR d.assignee = $3)
    AND ($4::uuid IS NULL OR d.topic_id = $4)`,
  search: "catalog.find_document_version",
  searchId: "v.id",
  // Texts are fetched only when they fit an answer.
  fits: `${answerBytesMax} >= (SELECT sum(v.size_bytes) FROM page
    JOIN (${activeDocuments}) ON d.application_id = $1 AND d.id = page.id)`,
});

/** A page of the caller's application's documents. */
export function listDocuments({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const { status, assignee, topicId, search } = request;
    const filters = [enumNames(DocumentStatusSchema, status), assignee ?? null, topicId ?? null];
    const { rows, pagination, isTooLarge } = await listPage(database, call, list, request, filters, { search });
    if (isTooLarge) {
      throw invalidField(["limit"], "These documents are larger than 3 MiB together, ask for fewer at once");
    }
    return { data: rows.map((row) => activeDocument(row, activeVersionOf(row))), pagination };
  };
}
