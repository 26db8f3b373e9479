import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DocumentService } from "@ems/proto/catalog/v1/document_service";
import type { Deps } from "../deps.ts";
import { activeDocument } from "./messages.ts";
import { type ActiveDocumentRow, activeDocumentColumns, activeDocuments, activeVersionOf } from "./queries.ts";

const text = `SELECT ${activeDocumentColumns} FROM ${activeDocuments}
  WHERE document.application_id = $1 AND document.id = $2`;

export function getDocument({ database }: Deps): Handlers<typeof DocumentService>["getDocument"] {
  return async ({ id }, call) => {
    const values = [call.tenant.applicationId, id];
    const [row] = await database.read<ActiveDocumentRow>(call, { name: "get-document", text, values });
    if (row === undefined) throw notFound("Document");
    return { document: activeDocument(row, activeVersionOf(row)) };
  };
}
