import { assignedUsers } from "@ems/kit/assigned-users";
import { columnsOf } from "@ems/kit/db/columns";
import { pageOf, pagination } from "@ems/kit/db/page";
import { enumName } from "@ems/kit/enum";
import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import { AssignmentStageSchema, type QuickstartService } from "@ems/proto/experiments/v1/quickstart_service";
import type { Deps } from "../deps.ts";
import { quickstartById } from "../quickstarts/index.ts";
import { AssignmentEntity, type AssignmentRow } from "./entity.ts";
import { assignment } from "./messages.ts";

type Handler = Handlers<typeof QuickstartService>["listAssignments"];

const orders = { createdAt: "a.created_at", modifiedAt: "a.modified_at", stage: "a.stage", id: "a.id" };

const matching = `FROM experiments.assignment a
  WHERE a.application_id = $1 AND a.quickstart_id = $2 AND ($3::text[] IS NULL OR a.stage = ANY ($3))
    AND ($4::text IS NULL OR a.assigned_to = $4)`;

/** A page of a quickstart's assignments. */
export function listAssignments({ database, users }: Pick<Deps, "database" | "users">): Handler {
  return async (request, call) => {
    const page = pageOf(request, orders);
    const stages = request.stage.map((stage) => enumName(AssignmentStageSchema, stage));
    const filters = [
      call.tenant.applicationId,
      request.id,
      stages.length > 0 ? stages : null,
      request.assignedTo ?? null,
    ];
    const [quickstarts, found, counts] = await database.readAll(call, [
      quickstartById(call, request.id),
      {
        name: `list-assignments-${page.orderName}`,
        text: `SELECT ${columnsOf(AssignmentEntity, "a")} ${matching} ORDER BY ${page.orderBy} LIMIT $5 OFFSET $6`,
        values: [...filters, page.limit, page.skip],
      },
      { name: "count-assignments", text: `SELECT count(*)::int AS total ${matching}`, values: filters },
    ]);
    if (quickstarts?.length !== 1) throw notFound("Quickstart");
    const rows = found as AssignmentRow[];
    const people = await assignedUsers(users, call, rows);
    return {
      data: rows.map((row) => assignment(row, people)),
      pagination: pagination(page, counts?.[0]?.total ?? 0),
    };
  };
}
