import type { JsonObject } from "@bufbuild/protobuf";
import { invalidField, tooLarge } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { OtlpService } from "@ems/proto/experiments/v1/otlp_service";
import type { Deps } from "../deps.ts";
import { type StepMonths, storeUpdates } from "../traces/index.ts";
import { readOtlp } from "./read-otlp.ts";

type Handler = Handlers<typeof OtlpService>["exportTraces"];

const reasonsMax = 5;

/** Stores valid spans, and answers how many were rejected and why. */
export function exportTraces(
  { database, clock }: Pick<Deps, "database" | "clock">,
  months: StepMonths,
  rowsMax: number,
): Handler {
  return async ({ payload, contentType }, call) => {
    const { updates, warnings } = readOtlp(jsonOf(payload, contentType));
    if (updates.length > rowsMax) throw tooLarge(`A request makes at most ${rowsMax} traces and steps`);
    const now = clock.now();
    return database.runExpensive(call, () =>
      months.within(now, (begin) =>
        database.change(call, async (tx) => {
          begin(tx);
          const results = await storeUpdates(tx, call.tenant, now, updates);
          const errors = results.flatMap((result) => ("error" in result ? [result.error] : []));
          const reasons = [...new Set([...warnings, ...errors])];
          const errorMessage = reasons.slice(0, reasonsMax).join("; ");
          const answer = reasons.length === 0 ? {} : { partialSuccess: { rejectedSpans: errors.length, errorMessage } };
          return { payload: Buffer.from(JSON.stringify(answer)), rows: BigInt(updates.length) };
        }),
      ),
    );
  };
}

function jsonOf(payload: Uint8Array, contentType: string): JsonObject {
  if (contentType !== "application/json") throw invalidField(["content_type"], "Only JSON is read");
  try {
    return payload.length === 0 ? {} : JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(payload));
  } catch (error) {
    throw invalidField(["payload"], `Invalid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
