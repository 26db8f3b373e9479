import { assignedUsers } from "@ems/kit/assigned-users";
import { listOf, listPage } from "@ems/kit/db/list";
import type { Handlers } from "@ems/kit/rpc/service";
import type { QuickstartService } from "@ems/proto/experiments/v1/quickstart_service";
import type { Deps } from "../deps.ts";
import { quickstartById } from "../quickstarts/index.ts";
import { ContradictionEntity } from "./entity.ts";
import { contradiction } from "./messages.ts";

type Handler = Handlers<typeof QuickstartService>["listContradictions"];

const list = listOf(ContradictionEntity, {
  alias: "c",
  where: `c.quickstart_id = $2 AND ($3::boolean IS NULL OR c.resolved = $3)
    AND ($4::text IS NULL OR c.assigned_to = $4)`,
});

/** A page of a quickstart's contradictions. */
export function listContradictions({ database, users }: Pick<Deps, "database" | "users">): Handler {
  return async (request, call) => {
    const filters = [request.id, request.resolved ?? null, request.assignedTo ?? null];
    const parent = { name: "Quickstart", statement: quickstartById(call, request.id) };
    const { rows, pagination } = await listPage(database, call, list, request, filters, { parent });
    const people = await assignedUsers(users, call, rows);
    return { data: rows.map((row) => contradiction(row, people)), pagination };
  };
}
