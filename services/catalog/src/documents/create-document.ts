import { enumName } from "@ems/kit/enum";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  type DocumentService,
  DocumentStatus,
  DocumentStatusSchema,
  DocumentType,
  DocumentTypeSchema,
  LibraryStatus,
  LibraryStatusSchema,
} from "@ems/proto/catalog/v1/document_service";
import type { Deps } from "../deps.ts";
import { newResource } from "../new-resource.ts";
import { rethrowMissingReference } from "../references/index.ts";
import {
  DocumentEntity,
  type DocumentRow,
  DocumentVersionEntity,
  type DocumentVersionRow,
  wholeDocumentEtags,
} from "./entity.ts";
import { document } from "./messages.ts";
import { newVersion } from "./new-version.ts";
import { assertFits } from "./queries.ts";

/** Creates a document with its first version, which is active. */
export function createDocument({ database, ...deps }: Deps): Handlers<typeof DocumentService>["createDocument"] {
  return async (request, call) => {
    const { topicId = null, scrapeJobId = null, quickstartId = null, assignee = call.tenant.userId } = request;
    const { type = DocumentType.KNOWLEDGE, documentStatus = LibraryStatus.ACTIVE } = request;
    const { status = DocumentStatus.DRAFT, language = "en", metadata = {} } = request;
    const row: DocumentRow = {
      ...newResource(deps, call),
      topicId,
      scrapeJobId,
      quickstartId,
      assignee,
      fileProcessingId: null,
      type: enumName<DocumentRow["type"]>(DocumentTypeSchema, type),
      status: enumName<DocumentRow["status"]>(LibraryStatusSchema, documentStatus),
      isVerified: false,
      optimized: false,
      activeVersion: 1,
    };
    const { title, content, originalSentences } = request;
    const texts = { title, content, language, metadata, originalSentences };
    const versionStatus = enumName<DocumentVersionRow["status"]>(DocumentStatusSchema, status);
    const version = newVersion(row, { ...texts, status: versionStatus }, { id: deps.newId(), versionNumber: 1 });
    assertFits(version.sizeBytes);
    const change = database.change(call, async (tx) => {
      await tx.insert(DocumentEntity, row);
      await tx.insert(DocumentVersionEntity, version);
      wholeDocumentEtags.answer(call, { document: row, versions: [version] });
      return { document: document(row, [version], [], call) };
    });
    return change.catch(rethrowMissingReference);
  };
}
