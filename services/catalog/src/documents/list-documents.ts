import { buildSelectList } from "@ems/kit/db/columns";
import { defineList, listPage, nonEmptyOrNull, timeRange } from "@ems/kit/db/list";
import { enumName, enumNames } from "@ems/kit/enum";
import { oversizedPage } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  DocumentOrderSchema,
  type DocumentService,
  DocumentStatusSchema,
  DocumentType,
  DocumentTypeSchema,
  LibraryStatusSchema,
  type ListDocumentsRequest,
} from "@ems/proto/catalog/v1/document_service";
import { answerBytesMax, sizeText } from "@ems/proto/limits";
import type { Deps } from "../deps.ts";
import { DocumentEntity, type DocumentRow, DocumentVersionEntity, type DocumentVersionRow } from "./entity.ts";
import { document } from "./messages.ts";
import { activeDocuments, type TaggedDocumentRow, taggedColumns } from "./queries.ts";

/** Columns of the active version that replace the document's columns of the same name. */
const contentProperties = ["title", "content", "language", "metadata", "originalSentences"] as const;

const columns = `${taggedColumns}, ${buildSelectList(DocumentVersionEntity, "version", contentProperties)},
  version.id AS "versionId", version.status AS "versionStatus",
  version.created_at AS "versionCreatedAt", version.modified_at AS "versionModifiedAt"`;

type ActiveDocumentRow = TaggedDocumentRow &
  Pick<DocumentVersionRow, (typeof contentProperties)[number]> & {
    readonly versionId: string;
    readonly versionStatus: DocumentVersionRow["status"];
    readonly versionCreatedAt: Date;
    readonly versionModifiedAt: Date;
  };

const list = defineList<DocumentRow, ActiveDocumentRow>(DocumentEntity, {
  alias: "document",
  orderBy: DocumentOrderSchema,
  columns,
  from: activeDocuments,
  orders: { title: "version.title", status: "version.status" },
  where: {
    from: "document.created_at >= ?",
    until: "document.created_at < ?",
    type: "document.type = ?",
    documentStatus: "document.status = ?",
    status: "version.status = ANY (?)",
    assignee: "document.assignee = ?",
    topicId: "document.topic_id = ?",
    quickstartId: "document.quickstart_id = ?",
    fileProcessingIds: "document.file_processing_id = ANY (?::uuid[])",
    scrapeJobIds: "document.scrape_job_id = ANY (?)",
    metadataStep: "version.metadata ->> 'step' = ?",
    tagIds: `EXISTS (SELECT FROM catalog.document_tag WHERE document_tag.application_id = $1
      AND document_tag.document_id = document.id AND document_tag.tag_id = ANY (?::uuid[]))`,
  },
  counts: { times: { createdAt: "created_at" }, range: "createdAt" },
  search: "catalog.find_document_version",
  searchId: "version.id",
  // Keeps PostgreSQL from sending texts that exceed the response limit: the query then returns no rows.
  fits: `${answerBytesMax} >= (SELECT sum(version.size_bytes) FROM page
    JOIN (${activeDocuments}) ON document.application_id = $1 AND document.id = page.id)`,
});

export function listDocuments({ database }: Deps): Handlers<typeof DocumentService>["listDocuments"] {
  return async (request, call) => {
    const { search } = request;
    const { rows, pagination, isTooLarge } = await listPage(database, call, list, request, buildFilters(request), {
      search,
    });
    if (isTooLarge) {
      const message = `These documents exceed ${sizeText(answerBytesMax)} in total: request fewer at once`;
      throw oversizedPage(message);
    }
    return { data: rows.map((row) => document(row, [toActiveVersion(row)], row.tags, call)), pagination };
  };
}

/** Builds the filters; by default, only visible and approved documents of type KNOWLEDGE are listed. */
function buildFilters(request: ListDocumentsRequest) {
  const { assignee, topicId, quickstartId, metadataStep, type = DocumentType.KNOWLEDGE } = request;
  const status = enumNames(DocumentStatusSchema, request.status);
  const documentStatus = enumName<DocumentRow["status"]>(LibraryStatusSchema, request.documentStatus);
  const isWidened = quickstartId !== undefined || documentStatus !== undefined;
  return {
    ...timeRange(request),
    type: enumName(DocumentTypeSchema, type),
    documentStatus: documentStatus ?? (quickstartId === undefined ? "ACTIVE" : null),
    status: status ?? (isWidened ? null : ["APPROVED"]),
    assignee,
    topicId,
    quickstartId,
    metadataStep,
    fileProcessingIds: nonEmptyOrNull(request.fileProcessingId),
    scrapeJobIds: nonEmptyOrNull(request.scrapeJobId),
    tagIds: nonEmptyOrNull(request.tagId),
  };
}

function toActiveVersion(row: ActiveDocumentRow) {
  const { id: documentId, activeVersion: versionNumber, versionId: id, versionStatus: status } = row;
  const { versionCreatedAt: createdAt, versionModifiedAt: modifiedAt } = row;
  return { ...row, id, documentId, versionNumber, status, createdAt, modifiedAt };
}
