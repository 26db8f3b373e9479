import { rowById } from "@ems/kit/db/row-by-id";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DocumentService } from "@ems/proto/catalog/v1/document_service";
import type { Deps } from "../deps.ts";
import { DocumentEntity, type DocumentRow, type DocumentVersionRow, wholeDocumentEtags } from "./entity.ts";
import { document } from "./messages.ts";
import { type TaggedDocumentRow, taggedColumns, versionsOfDocument } from "./queries.ts";

const taggedDocumentById = rowById<DocumentRow, TaggedDocumentRow>(DocumentEntity, "Document", {
  columns: taggedColumns,
});

/** Returns a document with all of its versions, highest number first. */
export function getDocument({ database }: Deps): Handlers<typeof DocumentService>["getDocument"] {
  return async ({ id }, call) => {
    const values = [call.tenant.applicationId, id];
    const [documents, versions] = await database.readAll(call, [
      taggedDocumentById.statement(call, id),
      { name: "list-document-versions", text: versionsOfDocument, values },
    ]);
    const row = taggedDocumentById.only(documents);
    const all = versions as DocumentVersionRow[];
    wholeDocumentEtags.answer(call, { document: row, versions: all });
    return { document: document(row, all, row.tags, call) };
  };
}
