import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TraceWorkService } from "@ems/proto/traces/v1/trace_work_service";
import type { Deps } from "../deps.ts";

type Handler = Handlers<typeof TraceWorkService>["nameTest"];

const text = `UPDATE traces.trace SET test_id = coalesce(test_id, $3), modified_at = CASE WHEN test_id IS NULL THEN $4 ELSE modified_at END
  WHERE application_id = $1 AND id = $2 RETURNING test_id AS "testId"`;

/** Sets the test that was created from a trace as the trace's test. The first of concurrent calls wins. */
export function nameTest({ database, clock }: Pick<Deps, "database" | "clock">): Handler {
  return ({ traceId, testId }, call) =>
    database.change(call, async (tx) => {
      const values = [call.tenant.applicationId, traceId, testId, clock.now()];
      const [row] = await tx.query<{ testId: string }>({ name: "name-test", text, values });
      if (row === undefined) throw notFound("Trace");
      return { testId: row.testId };
    });
}
