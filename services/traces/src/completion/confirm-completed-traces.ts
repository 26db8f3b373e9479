import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TraceWorkService } from "@ems/proto/traces/v1/trace_work_service";

type Handler = Handlers<typeof TraceWorkService>["confirmCompletedTraces"];

const claimPattern = /^[0-9a-f-]{36}\/[0-9a-f-]{36}\/\d{1,15}$/;

// Keeps traces whose lease was ended by a step that arrived after the claim: they will be complete a second time.
const confirm = `DELETE FROM traces.trace_settling s
  USING unnest($1::uuid[], $2::uuid[], $3::float8[]) c (application_id, trace_id, leased_until)
  WHERE s.application_id = c.application_id AND s.trace_id = c.trace_id
    AND s.leased_until = to_timestamp(c.leased_until / 1000)::timestamptz(3)`;

/** Deletes the completion entries of claimed traces that were handled. */
export function confirmCompletedTraces(relay: RelayDatabase): Handler {
  return async ({ claims }) => {
    const parts = claims.filter((claim) => claimPattern.test(claim)).map((claim) => claim.split("/"));
    if (parts.length === 0) return {};
    const values = [0, 1, 2].map((index) => parts.map((part) => part[index]));
    await relay.change({ name: "confirm-completed-traces", text: confirm, values });
    return {};
  };
}
