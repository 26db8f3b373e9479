import type { Handlers } from "@ems/kit/rpc/service";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import type { Deps } from "../deps.ts";
import { readOtlp } from "../otlp/index.ts";
import { storeUpdates } from "../traces/index.ts";
import { checkRows } from "./check-rows.ts";

type Handler = Handlers<typeof IngestService>["ingestOtelTraces"];

const reasonsMax = 5;

/** Stores valid spans, and answers how many were rejected and why. */
export function ingestOtelTraces(
  { database, clock, newId }: Pick<Deps, "database" | "clock" | "newId">,
  rowsMax: number,
): Handler {
  return async (request, call) => {
    checkRows(IngestService.method.ingestOtelTraces, request, rowsMax);
    const { updates, warnings } = readOtlp(request.payload ?? {}, newId);
    return database.runExpensive(call, () =>
      database.change(call, async (tx) => {
        const results = await storeUpdates(tx, call.tenant, clock.now(), updates);
        const errors = results.flatMap((result) => ("error" in result ? [result.error] : []));
        const reasons = [...new Set([...warnings, ...errors])];
        if (reasons.length === 0) return {};
        const value = { rejectedSpans: BigInt(errors.length), errorMessage: reasons.slice(0, reasonsMax).join("; ") };
        return { outcome: { case: "partialSuccess", value } };
      }),
    );
  };
}
