import type { Handlers } from "@ems/kit/rpc/service";
import type { DocumentService } from "@ems/proto/catalog/v1/document_service";
import type { Deps } from "../deps.ts";
import { requireReferences } from "../references/index.ts";
import { DocumentEntity, type DocumentRow, DocumentVersionEntity } from "./entity.ts";
import { activeDocument } from "./messages.ts";
import { newVersion } from "./new-version.ts";
import { refuseTooLarge } from "./queries.ts";

type Handler = Handlers<typeof DocumentService>["createDocument"];

/** What a document's text is written in when nobody says. */
const languageDefault = "en";

/** A new document of the caller's application, with its first version in force. */
export function createDocument({ database, clock, newId }: Pick<Deps, "database" | "clock" | "newId">): Handler {
  return async (request, call) => {
    const { applicationId, orgId } = call.tenant;
    const { topicId, assignee, language = languageDefault } = request;
    const now = clock.now();
    const row: DocumentRow = {
      applicationId,
      id: newId(),
      orgId,
      topicId: topicId ?? null,
      assignee: assignee ?? null,
      scrapeJobId: null,
      activeVersion: 1,
      createdAt: now,
      modifiedAt: now,
    };
    const version = newVersion(row, { ...request, language }, { id: newId(), versionNumber: 1, now });
    return database.change(call, async (tx) => {
      await requireReferences(tx, applicationId, { topic: topicId });
      await tx.insert(DocumentEntity, row);
      await tx.insert(DocumentVersionEntity, version);
      await refuseTooLarge(tx, row);
      return { document: activeDocument(row, version) };
    });
  };
}
