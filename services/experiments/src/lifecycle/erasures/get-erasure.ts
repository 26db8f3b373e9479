import { rowById } from "@ems/kit/db/row-by-id";
import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ErasureService } from "@ems/proto/experiments/v1/erasure_service";
import type { Deps } from "../../deps.ts";
import { ErasureEntity } from "./entity.ts";
import { erasure } from "./messages.ts";

type Handler = Handlers<typeof ErasureService>["getErasure"];

const erasureById = rowById(ErasureEntity, "Erasure");

export function getErasure({ database }: Pick<Deps, "database">): Handler {
  return async ({ id }, call) => {
    const row = await erasureById.read(database, call, id);
    if (row.endUserKey === null) throw notFound("Erasure");
    return { data: erasure(row) };
  };
}
