import { rowById } from "@ems/kit/db/row-by-id";
import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TraceDeletionService } from "@ems/proto/experiments/v1/trace_deletion_service";
import type { Deps } from "../../deps.ts";
import { ErasureEntity, traceDeletion } from "../erasures/index.ts";

type Handler = Handlers<typeof TraceDeletionService>["getTraceDeletion"];

const deletionById = rowById(ErasureEntity, "Deletion");

export function getTraceDeletion({ database }: Pick<Deps, "database">): Handler {
  return async ({ id }, call) => {
    const row = await deletionById.read(database, call, id);
    if (row.traces === null) throw notFound("Deletion");
    return { data: traceDeletion(row) };
  };
}
