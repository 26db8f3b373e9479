import type { Handlers } from "@ems/kit/rpc/service";
import type { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import type { Deps } from "../deps.ts";
import { readOtlp } from "../otlp/index.ts";
import { storeDrafts } from "../traces/index.ts";
import { checkRows, rowsOfOtlp } from "./ingest-rows.ts";

type Handler = Handlers<typeof IngestService>["ingestOtelTraces"];

/** More reasons than these tell nobody more. */
const reasonsMax = 5;

/** Stores the spans that are good, and counts the others. */
export function ingestOtelTraces(
  { database, clock, newId }: Pick<Deps, "database" | "clock" | "newId">,
  rowsMax: number,
): Handler {
  return async ({ payload = {} }, call) => {
    checkRows(rowsOfOtlp(payload), rowsMax);
    const { drafts, warnings } = readOtlp(payload, newId);
    return database.heavy(call, () =>
      database.change(call, async (tx) => {
        const outcomes = await storeDrafts(tx, call.tenant, clock.now(), drafts);
        const errors = outcomes.flatMap((outcome) => ("error" in outcome ? [outcome.error] : []));
        const reasons = new Set([...warnings, ...errors]);
        if (reasons.size === 0) return {};
        const value = {
          rejectedSpans: BigInt(errors.length),
          errorMessage: [...reasons].slice(0, reasonsMax).join("; "),
        };
        return { outcome: { case: "partialSuccess", value } };
      }),
    );
  };
}
