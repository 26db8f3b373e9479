import type { Handlers } from "@ems/kit/rpc/service";
import type { DocumentService } from "@ems/proto/catalog/v1/document_service";
import type { Deps } from "../deps.ts";
import { DocumentEntity, DocumentVersionEntity } from "./entity.ts";
import { documentVersion } from "./messages.ts";
import { newVersion } from "./new-version.ts";
import { assertVersionsFit, getVersion, lockDocument } from "./queries.ts";

const nextNumber = `SELECT max(version_number) + 1 AS number FROM catalog.document_version
  WHERE application_id = $1 AND document_id = $2`;

/** Another version of a document, not active. */
export function createDocumentVersion({
  database,
  clock,
  newId,
}: Deps): Handlers<typeof DocumentService>["createDocumentVersion"] {
  return (request, call) =>
    database.change(call, async (tx) => {
      const key = { applicationId: call.tenant.applicationId, id: request.id };
      const modifiedAt = clock.now();
      const document = await lockDocument(tx, key.applicationId, key.id);
      const language = request.language ?? (await getVersion(tx, document, document.activeVersion)).language;
      const [next] = await tx.query<{ number: number }>(nextNumber, [key.applicationId, key.id]);
      const identity = { id: newId(), versionNumber: next?.number ?? 1, language };
      const version = newVersion({ ...document, modifiedAt }, request, identity);
      await tx.insert(DocumentVersionEntity, version);
      await assertVersionsFit(tx, document);
      tx.deferUpdate(DocumentEntity, key, { modifiedAt });
      return { version: documentVersion(version) };
    });
}
