import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import { type DocumentService, DocumentStatus } from "@ems/proto/catalog/v1/document_service";
import type { Deps } from "../deps.ts";
import { DocumentEntity, wholeDocumentEtags } from "./entity.ts";
import { document, documentVersion } from "./messages.ts";
import { lockVersions } from "./queries.ts";

/** Activates a version and makes the document visible; publishes an event if the active version's status changes. */
export function activateDocumentVersion({
  database,
  publish,
  clock,
}: Deps): Handlers<typeof DocumentService>["activateDocumentVersion"] {
  return ({ id, versionNumber }, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      const { document: row, versions } = await lockVersions(tx, applicationId, id);
      wholeDocumentEtags.check(call, { document: row, versions });
      const version = versions.find((candidate) => candidate.versionNumber === versionNumber);
      if (version === undefined) throw notFound("Version");
      const newActiveVersion = documentVersion(row, version);
      if (row.activeVersion === versionNumber && row.status === "ACTIVE") {
        wholeDocumentEtags.answer(call, { document: row, versions });
        return { document: document(row, versions, row.tags, call), newActiveVersion };
      }
      const change = { activeVersion: versionNumber, status: "ACTIVE" as const, modifiedAt: clock.now() };
      tx.deferUpdate(DocumentEntity, { applicationId, id: row.id }, change);
      const former = versions.find((candidate) => candidate.versionNumber === row.activeVersion);
      if (former?.status !== version.status) {
        const value = { documentIds: [row.id], status: DocumentStatus[version.status] };
        await publish(tx, call.tenant, { case: "documentStatusChanged", value });
      }
      wholeDocumentEtags.answer(call, { document: { ...row, ...change }, versions });
      return { document: document({ ...row, ...change }, versions, row.tags, call), newActiveVersion };
    });
}
