import type { Handlers } from "@ems/kit/rpc/service";
import type { DocumentService } from "@ems/proto/catalog/v1/document_service";
import type { Deps } from "../deps.ts";
import { documentVersion } from "./messages.ts";
import { newVersion } from "./new-version.ts";
import { holdDocument, refuseTooLarge, touchDocument, versionOf } from "./queries.ts";
import { DocumentVersionEntity } from "./version-entity.ts";

type Handler = Handlers<typeof DocumentService>["createDocumentVersion"];

/** Another version of a document, numbered after its last one, not in force. */
export function createDocumentVersion({ database, clock, newId }: Pick<Deps, "database" | "clock" | "newId">): Handler {
  return (request, call) =>
    database.change(call, async (manager) => {
      const { applicationId } = call.tenant;
      const now = clock.now();
      const held = await holdDocument(manager, applicationId, request.id);
      const language = request.language ?? (await versionOf(manager, held, held.activeVersion)).language;
      const last = await manager.maximum(DocumentVersionEntity, "versionNumber", {
        applicationId,
        documentId: held.id,
      });
      const place = { id: newId(), versionNumber: (last ?? 0) + 1, now };
      const version = newVersion(held, { ...request, language }, place);
      await manager.insert(DocumentVersionEntity, version);
      await refuseTooLarge(manager, held);
      await touchDocument(manager, held, now);
      return { version: documentVersion(version) };
    });
}
