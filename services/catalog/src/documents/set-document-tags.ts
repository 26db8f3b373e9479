import { notFound } from "@ems/kit/errors";
import { distinctIds } from "@ems/kit/id";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DocumentService } from "@ems/proto/catalog/v1/document_service";
import type { Deps } from "../deps.ts";
import { assertReferences } from "../references/index.ts";
import { linkedTags, type TagRow, tag } from "../tags/index.ts";
import { DocumentTagEntity } from "./entity.ts";
import { documentTagVersions, tagsOfDocument } from "./list-document-tags.ts";

/** Locks the document, so that the tags of the later of two concurrent calls are kept. */
const lockDocument = "SELECT FROM catalog.document WHERE application_id = $1 AND id = $2 FOR NO KEY UPDATE";
const removeOthers = `DELETE FROM catalog.document_tag
  WHERE application_id = $1 AND document_id = $2 AND tag_id <> ALL ($3::uuid[])`;

export function setDocumentTags({ database }: Deps): Handlers<typeof DocumentService>["setDocumentTags"] {
  return (request, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      const key = [applicationId, request.id];
      const tagIds = distinctIds(request.tagIds);
      const [found] = await Promise.all([
        tx.query(lockDocument, key),
        assertReferences(tx, applicationId, { tag: tagIds }),
      ]);
      if (found.length === 0) throw notFound("Document");
      if (call.ifMatch !== undefined)
        documentTagVersions.check(call, linkedTags(request.id, await tx.query<TagRow>(tagsOfDocument, key)));
      tx.defer(removeOthers, [...key, tagIds]);
      const rows = tagIds.map((tagId) => ({ applicationId, documentId: request.id, tagId }));
      await tx.insert(DocumentTagEntity, rows, "ignore");
      const tags = await tx.commit(tx.query<TagRow>(tagsOfDocument, key));
      documentTagVersions.answer(call, linkedTags(request.id, tags));
      return { data: tags.map(tag) };
    });
}
