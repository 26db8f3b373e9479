import type { Handlers } from "@ems/kit/rpc/service";
import { type DocumentService, DocumentStatus } from "@ems/proto/catalog/v1/document_service";
import type { Deps } from "../deps.ts";
import { DocumentEntity } from "./entity.ts";
import { activeDocument } from "./messages.ts";
import { getVersion, lockDocument } from "./queries.ts";

/** Makes a version the active one; one event when its status differs from that of the version before. */
export function activateDocumentVersion({
  database,
  publish,
  clock,
}: Deps): Handlers<typeof DocumentService>["activateDocumentVersion"] {
  return ({ id, versionNumber }, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      const document = await lockDocument(tx, applicationId, id);
      const version = await getVersion(tx, document, versionNumber);
      if (document.activeVersion === versionNumber) return { document: activeDocument(document, version) };

      const change = { activeVersion: versionNumber, modifiedAt: clock.now() };
      tx.deferUpdate(DocumentEntity, { applicationId, id: document.id }, change);
      const former = await getVersion(tx, document, document.activeVersion);
      if (former.status !== version.status) {
        const value = { documentIds: [document.id], status: DocumentStatus[version.status] };
        await publish(tx, call.tenant, { case: "documentStatusChanged", value });
      }
      return { document: activeDocument({ ...document, ...change }, version) };
    });
}
