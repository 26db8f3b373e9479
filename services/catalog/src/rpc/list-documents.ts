import { containing, pageOf, pagination } from "@ems/kit/db/page";
import { enumName } from "@ems/kit/enum";
import { invalidField } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import { type DocumentService, DocumentStatusSchema } from "@ems/proto/catalog/v1/document_service";
import type { Deps } from "../deps.ts";
import { activeDocument } from "../document-messages.ts";
import {
  type ActiveDocumentRow,
  activeDocumentColumns,
  activeDocuments,
  activeVersionOf,
  answerBytesMax,
} from "../document-sql.ts";

type Handler = Handlers<typeof DocumentService>["listDocuments"];

const orders = {
  createdAt: "d.created_at",
  modifiedAt: "d.modified_at",
  title: "v.title",
  status: "v.status",
  id: "d.id",
};

const matching = `FROM ${activeDocuments}
  WHERE d.application_id = $1 AND ($2::text[] IS NULL OR v.status = ANY ($2)) AND ($3::text IS NULL OR d.assignee = $3)
    AND ($4::uuid IS NULL OR d.topic_id = $4) AND ($5::text IS NULL OR v.title ILIKE $5 OR v.content ILIKE $5)`;

/** The page's texts are fetched only when they fit an answer: a page that does not has no rows. */
const pageText = (orderBy: string) => `
  WITH page AS (
    SELECT d.application_id, d.id, v.size_bytes ${matching} ORDER BY ${orderBy} LIMIT $6 OFFSET $7
  )
  SELECT ${activeDocumentColumns} FROM page JOIN (${activeDocuments})
    ON d.application_id = page.application_id AND d.id = page.id
  WHERE (SELECT sum(size_bytes) FROM page) <= $8 ORDER BY ${orderBy}`;

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
      search === undefined ? null : containing(search),
    ];
    const [rows = [], counts] = await database.readAll(call, [
      {
        name: `list-documents-${page.orderName}`,
        text: pageText(page.orderBy),
        values: [...filters, page.limit, page.skip, answerBytesMax],
      },
      { name: "count-documents", text: `SELECT count(*)::int AS total ${matching}`, values: filters },
    ]);
    const total: number = counts?.[0]?.total ?? 0;
    if (rows.length === 0 && page.skip < total) {
      throw invalidField(["limit"], "These documents are larger than 3 MiB together, ask for fewer at once");
    }
    return {
      // The statement's columns are those of the row that it is read as.
      data: (rows as ActiveDocumentRow[]).map((row) => activeDocument(row, activeVersionOf(row))),
      pagination: pagination(page, total),
    };
  };
}
