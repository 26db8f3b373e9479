import { rowById } from "@ems/kit/db/row-by-id";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DocumentTestService } from "@ems/proto/experiments/v1/document_test_service";
import type { Deps } from "../../deps.ts";
import { DocumentTestEntity } from "./entity.ts";
import { documentTest } from "./messages.ts";

type Handler = Handlers<typeof DocumentTestService>["getDocumentTest"];

export const documentTestById = rowById(DocumentTestEntity, "Document test");

export function getDocumentTest({ database }: Pick<Deps, "database">): Handler {
  return async ({ id }, call) => ({ data: documentTest(await documentTestById.read(database, call, id)) });
}
