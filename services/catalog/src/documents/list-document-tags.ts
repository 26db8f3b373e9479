import { buildSelectList } from "@ems/kit/db/columns";
import { linkVersions } from "@ems/kit/db/version";
import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DocumentService } from "@ems/proto/catalog/v1/document_service";
import type { Deps } from "../deps.ts";
import { linkedTags, TagEntity, type TagRow, tag } from "../tags/index.ts";

const documentExists = "SELECT FROM catalog.document WHERE application_id = $1 AND id = $2";
export const tagsOfDocument = `SELECT ${buildSelectList(TagEntity, "tag")} FROM catalog.document_tag
  JOIN catalog.tag ON tag.application_id = document_tag.application_id AND tag.id = document_tag.tag_id
  WHERE document_tag.application_id = $1 AND document_tag.document_id = $2 ORDER BY tag.name, tag.id`;

/** Computes the ETag of a document's tags. */
export const documentTagVersions = linkVersions("document_tag");

export function listDocumentTags({ database }: Deps): Handlers<typeof DocumentService>["listDocumentTags"] {
  return async ({ id }, call) => {
    const values = [call.tenant.applicationId, id];
    const [documents, tags] = await database.readAll(call, [
      { name: "document-exists", text: documentExists, values },
      { name: "tags-of-document", text: tagsOfDocument, values },
    ]);
    if (documents?.length === 0) throw notFound("Document");
    const rows = tags as TagRow[];
    documentTagVersions.answer(call, linkedTags(id, rows));
    return { data: rows.map(tag) };
  };
}
