import { buildSelectList } from "@ems/kit/db/columns";
import type { Database } from "@ems/kit/db/database";
import type { Call } from "@ems/kit/rpc/call";
import { traceExternalEvaluationsMax } from "@ems/proto/limits";
import { ExternalEvaluationEntity, type ExternalEvaluationRow } from "./entity.ts";

const byTraces = `SELECT ${buildSelectList(ExternalEvaluationEntity, "e")} FROM unnest($2::uuid[]) AS wanted (id)
  CROSS JOIN LATERAL (SELECT * FROM traces.external_evaluation e WHERE e.application_id = $1 AND e.trace_id = wanted.id
    ORDER BY e.created_at DESC, e.id DESC LIMIT ${traceExternalEvaluationsMax}) e`;

/** Reads the newest external evaluations of traces, by trace. */
export async function loadExternalEvaluations(
  database: Database,
  call: Call,
  traceIds: readonly string[],
): Promise<ReadonlyMap<string | null, ExternalEvaluationRow[]>> {
  if (traceIds.length === 0) return new Map();
  const values = [call.tenant.applicationId, traceIds];
  const statement = { name: "external-evaluations-of-traces", text: byTraces, values };
  const rows = await database.read<ExternalEvaluationRow>(call, statement);
  return Map.groupBy(rows, ({ traceId }) => traceId);
}
