import { type JsonObject, toJson } from "@bufbuild/protobuf";
import { ListValueSchema, ValueSchema } from "@bufbuild/protobuf/wkt";
import { enumName } from "@ems/kit/enum";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  type DocumentService,
  DocumentStatus,
  DocumentStatusSchema,
  type UpdateDocumentVersionRequest,
} from "@ems/proto/catalog/v1/document_service";
import type { Deps } from "../deps.ts";
import { DocumentVersionEntity, type DocumentVersionRow } from "./entity.ts";
import { documentVersion, sizeBytesOf } from "./messages.ts";
import { holdDocument, refuseTooLarge, touchDocument, versionOf } from "./queries.ts";

type Handler = Handlers<typeof DocumentService>["updateDocumentVersion"];

/** Changes what is given of a version, and tells when by that the document has another status. */
export function updateDocumentVersion({
  database,
  publish,
  clock,
}: Pick<Deps, "database" | "publish" | "clock">): Handler {
  return (request, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      const held = await holdDocument(tx, applicationId, request.id);
      const found = await versionOf(tx, held, request.versionNumber);
      const changes = changesOf(request);
      if (Object.keys(changes).length === 0) return { version: documentVersion(found) };

      const now = clock.now();
      const changed = { ...found, ...changes, modifiedAt: now };
      changed.sizeBytes = sizeBytesOf(changed);
      await tx.update(DocumentVersionEntity, { applicationId, id: found.id }, changed);
      await refuseTooLarge(tx, held);
      await touchDocument(tx, held, now);
      if (found.versionNumber === held.activeVersion && changed.status !== found.status) {
        const value = { documentIds: [held.id], status: DocumentStatus[changed.status] };
        await publish(tx, call.tenant, { case: "documentStatusChanged", value });
      }
      return { version: documentVersion(changed) };
    });
}

type Changes = Partial<
  Pick<DocumentVersionRow, "title" | "content" | "language" | "status" | "metadata" | "originalSentences">
>;

function changesOf(request: UpdateDocumentVersionRequest): Changes {
  const { title, content, language, status, metadata, originalSentences } = request;
  return {
    ...(title !== undefined && { title }),
    ...(content !== undefined && { content }),
    ...(language !== undefined && { language }),
    ...(status !== undefined && { status: enumName(DocumentStatusSchema, status) }),
    // The request's rules: an object or null, and a list of strings.
    ...(metadata !== undefined && { metadata: toJson(ValueSchema, metadata) as JsonObject | null }),
    ...(originalSentences !== undefined && {
      originalSentences: toJson(ListValueSchema, originalSentences) as string[],
    }),
  };
}
