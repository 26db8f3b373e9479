import { assignedUsers } from "@ems/kit/assigned-users";
import { listOf, listPage } from "@ems/kit/db/list";
import { enumNames } from "@ems/kit/enum";
import type { Handlers } from "@ems/kit/rpc/service";
import { AssignmentStageSchema, type QuickstartService } from "@ems/proto/experiments/v1/quickstart_service";
import type { Deps } from "../deps.ts";
import { quickstartById } from "../quickstarts/index.ts";
import { AssignmentEntity } from "./entity.ts";
import { assignment } from "./messages.ts";

type Handler = Handlers<typeof QuickstartService>["listAssignments"];

const list = listOf(AssignmentEntity, {
  alias: "a",
  where: `a.quickstart_id = $2 AND ($3::text[] IS NULL OR a.stage = ANY ($3))
    AND ($4::text IS NULL OR a.assigned_to = $4)`,
});

/** A page of a quickstart's assignments. */
export function listAssignments({ database, users }: Pick<Deps, "database" | "users">): Handler {
  return async (request, call) => {
    const filters = [request.id, enumNames(AssignmentStageSchema, request.stage), request.assignedTo ?? null];
    const parent = { name: "Quickstart", statement: quickstartById(call, request.id) };
    const { rows, pagination } = await listPage(database, call, list, request, filters, { parent });
    const people = await assignedUsers(users, call, rows);
    return { data: rows.map((row) => assignment(row, people)), pagination };
  };
}
