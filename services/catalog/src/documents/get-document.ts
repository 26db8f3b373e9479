import { rowById } from "@ems/kit/db/row-by-id";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DocumentService } from "@ems/proto/catalog/v1/document_service";
import type { Deps } from "../deps.ts";
import { DocumentEntity, type DocumentRow } from "./entity.ts";
import { activeDocument } from "./messages.ts";
import { type ActiveDocumentRow, activeDocumentColumns, activeDocuments, activeVersionOf } from "./queries.ts";

const activeDocumentById = rowById<DocumentRow, ActiveDocumentRow>(DocumentEntity, "Document", {
  columns: activeDocumentColumns,
  from: activeDocuments,
});

export function getDocument({ database }: Deps): Handlers<typeof DocumentService>["getDocument"] {
  return async ({ id }, call) => {
    const row = await activeDocumentById.read(database, call, id);
    return { document: activeDocument(row, activeVersionOf(row)) };
  };
}
