import type { RelayDatabase } from "@ems/kit/db/relay-database";
import { enumName } from "@ems/kit/enum";
import type { Handlers } from "@ems/kit/rpc/service";
import { ErasingServiceSchema, type ErasureWorkService } from "@ems/proto/experiments/v1/erasure_work_service";
import type { ErasureWorkRow } from "./entity.ts";

type Handler = Handlers<typeof ErasureWorkService>["claimErasedItems"];

const claim = `
  WITH due AS MATERIALIZED (
    SELECT application_id, id FROM experiments.erasure_work WHERE service = $1 AND due_at <= now()
    ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED
  )
  UPDATE experiments.erasure_work w SET due_at = now() + $3 * interval '1 ms'
  FROM due WHERE w.application_id = due.application_id AND w.id = due.id
  RETURNING w.application_id AS "applicationId", w.org_id AS "orgId", w.id, w.erasure_id AS "erasureId",
    w.trace_ids AS "traceIds", w.test_ids AS "testIds", w.subject_ids AS "subjectIds"`;

export type ClaimedErasureWork = Omit<ErasureWorkRow, "service" | "dueAt">;

/** Due work of all tenants for a service, under a lease. */
export function claimErasureWork(
  relay: RelayDatabase,
  service: ErasureWorkRow["service"],
  limit: number,
  leaseMs: number,
): Promise<ClaimedErasureWork[]> {
  return relay.query<ClaimedErasureWork>({
    name: "claim-erasure-work",
    text: claim,
    values: [service, limit, leaseMs],
  });
}

export function claimErasedItems(relay: RelayDatabase): Handler {
  return async ({ service, limit, leaseMs }) => {
    const name = enumName<ErasureWorkRow["service"]>(ErasingServiceSchema, service);
    const claimed = await claimErasureWork(relay, name, limit, leaseMs);
    return { items: claimed.map(({ traceIds: _, erasureId: __, ...items }) => items) };
  };
}
