import type { Handlers } from "@ems/kit/rpc/service";
import { type DocumentService, DocumentStatus } from "@ems/proto/catalog/v1/document_service";
import type { Deps } from "../deps.ts";
import { DocumentEntity } from "./entity.ts";
import { activeDocument } from "./messages.ts";
import { holdDocument, versionOf } from "./queries.ts";

type Handler = Handlers<typeof DocumentService>["activateDocumentVersion"];

/** Puts a version in force, and tells when by that the document has another status. */
export function activateDocumentVersion({
  database,
  publish,
  clock,
}: Pick<Deps, "database" | "publish" | "clock">): Handler {
  return ({ id, versionNumber }, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      const held = await holdDocument(tx, applicationId, id);
      const version = await versionOf(tx, held, versionNumber);
      if (held.activeVersion === versionNumber) return { document: activeDocument(held, version) };

      const change = { activeVersion: versionNumber, modifiedAt: clock.now() };
      await tx.update(DocumentEntity, { applicationId, id: held.id }, change);
      const former = await versionOf(tx, held, held.activeVersion);
      if (former.status !== version.status) {
        const value = { documentIds: [held.id], status: DocumentStatus[version.status] };
        await publish(tx, call.tenant, { case: "documentStatusChanged", value });
      }
      return { document: activeDocument({ ...held, ...change }, version) };
    });
}
