import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DocumentService } from "@ems/proto/catalog/v1/document_service";
import type { Deps } from "../deps.ts";
import type { DocumentRow } from "./entity.ts";
import { document, documentVersion, type VersionContent } from "./messages.ts";
import { documentStatement, versionsStatement } from "./queries.ts";

type Handler = Handlers<typeof DocumentService>["listDocumentVersions"];

/** A document of the caller's application and all of its versions. */
export function listDocumentVersions({ database }: Pick<Deps, "database">): Handler {
  return async ({ id }, call) => {
    const [documents, versions] = await database.readAll(call, [
      documentStatement(call, id),
      versionsStatement(call, id),
    ]);
    // The statements' columns are those of the rows that they are read as.
    const [row] = documents as DocumentRow[];
    if (row === undefined) throw notFound("Document");
    return { document: document(row), versions: (versions as VersionContent[]).map(documentVersion) };
  };
}
