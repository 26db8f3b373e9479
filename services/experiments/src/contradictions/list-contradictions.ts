import { assignedUsers } from "@ems/kit/assigned-users";
import { columnsOf } from "@ems/kit/db/columns";
import { pageOf, pagination } from "@ems/kit/db/page";
import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { QuickstartService } from "@ems/proto/experiments/v1/quickstart_service";
import type { Deps } from "../deps.ts";
import { quickstartById } from "../quickstarts/index.ts";
import { ContradictionEntity, type ContradictionRow } from "./entity.ts";
import { contradiction } from "./messages.ts";

type Handler = Handlers<typeof QuickstartService>["listContradictions"];

const orders = { createdAt: "c.created_at", modifiedAt: "c.modified_at", resolved: "c.resolved", id: "c.id" };

const matching = `FROM experiments.contradiction c
  WHERE c.application_id = $1 AND c.quickstart_id = $2 AND ($3::boolean IS NULL OR c.resolved = $3)
    AND ($4::text IS NULL OR c.assigned_to = $4)`;

/** A page of a quickstart's contradictions. */
export function listContradictions({ database, users }: Pick<Deps, "database" | "users">): Handler {
  return async (request, call) => {
    const page = pageOf(request, orders);
    const filters = [call.tenant.applicationId, request.id, request.resolved ?? null, request.assignedTo ?? null];
    const [quickstarts, found, counts] = await database.readAll(call, [
      quickstartById(call, request.id),
      {
        name: `list-contradictions-${page.orderName}`,
        text: `SELECT ${columnsOf(ContradictionEntity, "c")} ${matching} ORDER BY ${page.orderBy} LIMIT $5 OFFSET $6`,
        values: [...filters, page.limit, page.skip],
      },
      { name: "count-contradictions", text: `SELECT count(*)::int AS total ${matching}`, values: filters },
    ]);
    if (quickstarts?.length !== 1) throw notFound("Quickstart");
    const rows = found as ContradictionRow[];
    const people = await assignedUsers(users, call, rows);
    return {
      data: rows.map((row) => contradiction(row, people)),
      pagination: pagination(page, counts?.[0]?.total ?? 0),
    };
  };
}
