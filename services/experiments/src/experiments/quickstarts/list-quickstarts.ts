import { defineList, listPage } from "@ems/kit/db/list";
import type { Handlers } from "@ems/kit/rpc/service";
import { QuickstartOrderSchema, type QuickstartService } from "@ems/proto/experiments/v1/quickstart_service";
import type { Deps } from "../../deps.ts";
import { QuickstartEntity } from "./entity.ts";
import { quickstart } from "./messages.ts";

type Handler = Handlers<typeof QuickstartService>["listQuickstarts"];

const list = defineList(QuickstartEntity, { alias: "q", orderBy: QuickstartOrderSchema });

/** Lists the quickstarts of the caller's application. */
export function listQuickstarts({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const { rows, pagination } = await listPage(database, call, list, request);
    return { data: rows.map(quickstart), pagination };
  };
}
