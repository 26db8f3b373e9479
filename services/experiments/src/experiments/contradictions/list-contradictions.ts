import { defineList, listPage } from "@ems/kit/db/list";
import type { Handlers } from "@ems/kit/rpc/service";
import { ContradictionOrderSchema, type QuickstartService } from "@ems/proto/experiments/v1/quickstart_service";
import { assignedUsers } from "@ems/users";
import type { Deps } from "../../deps.ts";
import { quickstartById } from "../quickstarts/index.ts";
import { ContradictionEntity } from "./entity.ts";
import { contradiction } from "./messages.ts";

type Handler = Handlers<typeof QuickstartService>["listContradictions"];

const list = defineList(ContradictionEntity, {
  alias: "c",
  orderBy: ContradictionOrderSchema,
  where: { quickstartId: "c.quickstart_id = ?", resolved: "c.resolved = ?", assignedTo: "c.assigned_to = ?" },
});

/** Lists a quickstart's contradictions. */
export function listContradictions({ database, users }: Pick<Deps, "database" | "users">): Handler {
  return async (request, call) => {
    const { id: quickstartId, resolved, assignedTo } = request;
    const filters = { quickstartId, resolved, assignedTo };
    const parent = { name: "Quickstart", statement: quickstartById.statement(call, request.id) };
    const { rows, pagination } = await listPage(database, call, list, request, filters, { parent });
    const people = await assignedUsers(users, call, rows);
    return { data: rows.map((row) => contradiction(row, people)), pagination };
  };
}
