import type { Handlers } from "@ems/kit/rpc/service";
import type { DocumentService } from "@ems/proto/catalog/v1/document_service";
import type { Deps } from "../deps.ts";
import { newResource } from "../new-resource.ts";
import { rethrowMissingReference } from "../references/index.ts";
import { DocumentEntity, type DocumentRow, DocumentVersionEntity } from "./entity.ts";
import { activeDocument } from "./messages.ts";
import { newVersion } from "./new-version.ts";
import { assertFits } from "./queries.ts";

/** A new document, whose first version is active. */
export function createDocument({ database, ...deps }: Deps): Handlers<typeof DocumentService>["createDocument"] {
  return async (request, call) => {
    const { topicId = null, assignee = null, language = "en" } = request;
    const row: DocumentRow = { ...newResource(deps, call), topicId, assignee, scrapeJobId: null, activeVersion: 1 };
    const version = newVersion(row, request, { id: deps.newId(), versionNumber: 1, language });
    assertFits(version.sizeBytes);
    const change = database.change(call, async (tx) => {
      await tx.insert(DocumentEntity, row);
      await tx.insert(DocumentVersionEntity, version);
      return { document: activeDocument(row, version) };
    });
    return change.catch(rethrowMissingReference);
  };
}
