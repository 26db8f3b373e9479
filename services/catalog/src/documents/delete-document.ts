import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DocumentService } from "@ems/proto/catalog/v1/document_service";
import type { Deps } from "../deps.ts";
import { DocumentEntity } from "./entity.ts";

/** Versions are deleted by their foreign key's cascade. */
export function deleteDocument({ database }: Deps): Handlers<typeof DocumentService>["deleteDocument"] {
  return ({ id }, call) =>
    database.change(call, async (tx) => {
      const deleted = await tx.commit(tx.delete(DocumentEntity, { applicationId: call.tenant.applicationId, id }));
      if (deleted === 0) throw notFound("Document");
      return {};
    });
}
