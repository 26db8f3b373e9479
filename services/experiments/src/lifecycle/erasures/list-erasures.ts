import { defineList, listPage } from "@ems/kit/db/list";
import type { Handlers } from "@ems/kit/rpc/service";
import { ErasureOrderSchema, type ErasureService } from "@ems/proto/experiments/v1/erasure_service";
import { endUserKey } from "@ems/traces-client";
import type { Deps } from "../../deps.ts";
import { ErasureEntity } from "./entity.ts";
import { erasure } from "./messages.ts";

type Handler = Handlers<typeof ErasureService>["listErasures"];

const list = defineList(ErasureEntity, {
  alias: "e",
  orderBy: ErasureOrderSchema,
  where: { user: "e.end_user_key = ?", isOfUser: "(e.end_user_key IS NOT NULL) = ?" },
});

/** Lists the erasures of end users in the caller's application. */
export function listErasures({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const user = request.user === undefined ? null : endUserKey(call.tenant.applicationId, request.user);
    const { rows, pagination } = await listPage(database, call, list, request, { user, isOfUser: true });
    return { data: rows.map(erasure), pagination };
  };
}
