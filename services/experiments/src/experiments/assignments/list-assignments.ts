import { defineList, listPage } from "@ems/kit/db/list";
import { enumNames } from "@ems/kit/enum";
import { buildMessage } from "@ems/kit/message";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  AssignmentOrderSchema,
  AssignmentSchema,
  AssignmentStageSchema,
  type QuickstartService,
} from "@ems/proto/experiments/v1/quickstart_service";
import type { UserReference } from "@ems/proto/type/v1/user_reference";
import { assignedUsers } from "@ems/users";
import type { Deps } from "../../deps.ts";
import { quickstartById } from "../quickstarts/index.ts";
import { AssignmentEntity, type AssignmentRow } from "./entity.ts";

type Handler = Handlers<typeof QuickstartService>["listAssignments"];

const list = defineList(AssignmentEntity, {
  alias: "a",
  orderBy: AssignmentOrderSchema,
  where: { quickstartId: "a.quickstart_id = ?", stage: "a.stage = ANY (?)", assignedTo: "a.assigned_to = ?" },
});

const assignment = (row: AssignmentRow, users: ReadonlyMap<string, UserReference>) =>
  buildMessage(AssignmentSchema, { ...row, assignedUser: users.get(row.assignedTo) });

/** Lists a quickstart's assignments. */
export function listAssignments({ database, users }: Pick<Deps, "database" | "users">): Handler {
  return async (request, call) => {
    const { id: quickstartId, assignedTo } = request;
    const filters = { quickstartId, stage: enumNames(AssignmentStageSchema, request.stage), assignedTo };
    const parent = { name: "Quickstart", statement: quickstartById.statement(call, request.id) };
    const { rows, pagination } = await listPage(database, call, list, request, filters, { parent });
    const people = await assignedUsers(users, call, rows);
    return { data: rows.map((row) => assignment(row, people)), pagination };
  };
}
