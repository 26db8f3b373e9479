import { listOf, listPage } from "@ems/kit/db/list";
import { enumNames } from "@ems/kit/enum";
import { invalidField } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import { type DocumentService, DocumentStatusSchema } from "@ems/proto/catalog/v1/document_service";
import { answerBytesMax, sizeText } from "@ems/proto/limits";
import type { Deps } from "../deps.ts";
import { DocumentEntity, type DocumentRow } from "./entity.ts";
import { activeDocument } from "./messages.ts";
import { type ActiveDocumentRow, activeDocumentColumns, activeDocuments, activeVersionOf } from "./queries.ts";

const list = listOf<DocumentRow, ActiveDocumentRow>(DocumentEntity, {
  alias: "document",
  columns: activeDocumentColumns,
  from: activeDocuments,
  orders: { title: "version.title", status: "version.status" },
  where: {
    status: "version.status = ANY (?)",
    assignee: "document.assignee = ?",
    topicId: "document.topic_id = ?",
  },
  counts: { times: { createdAt: "created_at" } },
  search: "catalog.find_document_version",
  searchId: "version.id",
  // Prevents PostgreSQL from sending texts that exceed an answer: such a page has no rows.
  fits: `${answerBytesMax} >= (SELECT sum(version.size_bytes) FROM page
    JOIN (${activeDocuments}) ON document.application_id = $1 AND document.id = page.id)`,
});

export function listDocuments({ database }: Deps): Handlers<typeof DocumentService>["listDocuments"] {
  return async (request, call) => {
    const { assignee, topicId, search } = request;
    const filters = { status: enumNames(DocumentStatusSchema, request.status), assignee, topicId };
    const { rows, pagination, isTooLarge } = await listPage(database, call, list, request, filters, { search });
    if (isTooLarge) {
      const message = `These documents are larger than ${sizeText(answerBytesMax)} together, ask for fewer at once`;
      throw invalidField(["limit"], message);
    }
    return { data: rows.map((row) => activeDocument(row, activeVersionOf(row))), pagination };
  };
}
