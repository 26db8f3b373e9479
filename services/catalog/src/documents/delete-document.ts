import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DocumentService } from "@ems/proto/catalog/v1/document_service";
import type { Deps } from "../deps.ts";
import { DocumentEntity } from "./entity.ts";

type Handler = Handlers<typeof DocumentService>["deleteDocument"];

/** Deletes a document; its versions go with it by their foreign key. */
export function deleteDocument({ database }: Pick<Deps, "database">): Handler {
  return ({ id }, call) =>
    database.change(call, async (tx) => {
      const affected = await tx.delete(DocumentEntity, { applicationId: call.tenant.applicationId, id });
      if (affected === 0) throw notFound("Document");
      return {};
    });
}
