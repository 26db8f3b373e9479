import type { Handlers } from "@ems/kit/rpc/service";
import type { DocumentService } from "@ems/proto/catalog/v1/document_service";
import type { Deps } from "../deps.ts";
import { DocumentVersionEntity } from "./entity.ts";
import { documentVersion } from "./messages.ts";
import { newVersion } from "./new-version.ts";
import { holdDocument, refuseTooLarge, touchDocument, versionOf } from "./queries.ts";

type Handler = Handlers<typeof DocumentService>["createDocumentVersion"];

const lastVersion = `SELECT max(version_number) AS number FROM catalog.document_version
  WHERE application_id = $1 AND document_id = $2`;

/** Another version of a document, numbered after its last one, not in force. */
export function createDocumentVersion({ database, clock, newId }: Pick<Deps, "database" | "clock" | "newId">): Handler {
  return (request, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      const now = clock.now();
      const held = await holdDocument(tx, applicationId, request.id);
      const language = request.language ?? (await versionOf(tx, held, held.activeVersion)).language;
      const [last] = await tx.query<{ number: number }>(lastVersion, [applicationId, held.id]);
      const place = { id: newId(), versionNumber: (last?.number ?? 0) + 1, now };
      const version = newVersion(held, { ...request, language }, place);
      await tx.insert(DocumentVersionEntity, version);
      await refuseTooLarge(tx, held);
      await touchDocument(tx, held, now);
      return { version: documentVersion(version) };
    });
}
