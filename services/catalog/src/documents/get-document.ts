import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DocumentService } from "@ems/proto/catalog/v1/document_service";
import type { Deps } from "../deps.ts";
import { activeDocument } from "./messages.ts";
import { activeVersionOf, findActiveDocument } from "./queries.ts";

type Handler = Handlers<typeof DocumentService>["getDocument"];

/** One document of the caller's application with its active version. */
export function getDocument({ database }: Pick<Deps, "database">): Handler {
  return async ({ id }, call) => {
    const row = await findActiveDocument(database, call, id);
    if (row === undefined) throw notFound("Document");
    return { document: activeDocument(row, activeVersionOf(row)) };
  };
}
