import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { SessionService } from "@ems/proto/experiments/v1/session_service";
import type { Deps } from "../deps.ts";
import { answerTraces, type TraceRow, traceColumns } from "../traces/index.ts";
import { type AnsweredSession, session } from "./messages.ts";
import { joinTotals, totalColumns } from "./totals.ts";

type Handler = Handlers<typeof SessionService>["getSession"];

// Reads the traces alone: a session is there as long as one of them is.
const facts = `SELECT s.*, ${totalColumns}
  FROM (SELECT t.application_id, t.session_id AS id, t.org_id, t.session AS external_id,
      t.application_id AS "applicationId", t.org_id AS "orgId", t.session AS "externalId",
      t.created_at AS "createdAt", t.timestamp AS "lastAt"
    FROM traces.trace t WHERE t.application_id = $1 AND t.session_id = $2 ORDER BY t.created_at, t.id LIMIT 1) s ${joinTotals}`;
const page = `SELECT ${traceColumns} FROM traces.trace t WHERE t.application_id = $1 AND t.session_id = $2
  ORDER BY t.timestamp, t.id OFFSET $3 LIMIT $4`;

const limitDefault = 25;

/** Returns a session with a page of its traces. */
export function getSession(deps: Pick<Deps, "stores" | "database" | "references">): Handler {
  return async ({ id, skip = 0n, limit = limitDefault }, call) => {
    const values = [call.tenant.applicationId, id];
    const [found = [], rows = []] = await deps.database.readAll(call, [
      { name: "get-session", text: facts, values },
      { name: "session-traces", text: page, values: [...values, String(skip), limit] },
    ]);
    // Safe casts: the statements select these columns.
    const [row] = found as AnsweredSession[];
    if (row === undefined) throw notFound("Session");
    const total = BigInt(row.turns);
    const pages = (total + BigInt(limit) - 1n) / BigInt(limit);
    return {
      data: session(row),
      traces: await answerTraces(deps, call, rows as TraceRow[]),
      pagination: { skip, limit, total, totalPages: pages, totalCount: total },
    };
  };
}
