import { buildSelectList } from "@ems/kit/db/columns";
import { defineList, listPage, timeRange } from "@ems/kit/db/list";
import type { Handlers } from "@ems/kit/rpc/service";
import { SessionOrderSchema, type SessionService } from "@ems/proto/experiments/v1/session_service";
import { endUserKey } from "@ems/traces-client";
import type { Deps } from "../deps.ts";
import { wordsToFind } from "../search/index.ts";
import { sessionId } from "../traces/index.ts";
import { SessionEntity, type SessionRow } from "./entity.ts";
import { type AnsweredSession, session } from "./messages.ts";
import { joinTotals, totalColumns } from "./totals.ts";

const hasTrace = (condition: string) =>
  `EXISTS (SELECT FROM traces.trace t WHERE t.application_id = $1 AND t.session_id = s.id AND ${condition})`;

const list = defineList<SessionRow, AnsweredSession>(SessionEntity, {
  alias: "s",
  orderBy: SessionOrderSchema,
  columns: `${buildSelectList(SessionEntity, "s")}, ${totalColumns}`,
  join: joinTotals,
  where: {
    id: "s.id = ?",
    from: "s.last_at >= ?",
    until: "s.last_at < ?",
    user: hasTrace("t.end_user_key = ?"),
    hasError: `${hasTrace("t.has_error")} = ?`,
  },
  search: "traces.find_sessions",
});

/** Lists the sessions of the caller's application. */
export function listSessions({ database }: Pick<Deps, "database">): Handlers<typeof SessionService>["listSessions"] {
  return async (request, call) => {
    const { applicationId } = call.tenant;
    const { externalId, user, hasError, search } = request;
    const filters = {
      ...timeRange(request),
      id: externalId === undefined ? null : sessionId(applicationId, externalId),
      user: user === undefined ? null : endUserKey(applicationId, user),
      hasError,
    };
    const found = search ? { search: wordsToFind(applicationId, search) } : {};
    const { rows, pagination } = await listPage(database, call, list, request, filters, found);
    return { data: rows.map(session), pagination };
  };
}
