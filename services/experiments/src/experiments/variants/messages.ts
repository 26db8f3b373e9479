import { create } from "@bufbuild/protobuf";
import { buildMessage } from "@ems/kit/message";
import type { Call } from "@ems/kit/rpc/call";
import { ExperimentVariantSchema } from "@ems/proto/experiments/v1/variant_service";
import type { Deps } from "../../deps.ts";
import { noResults, toSummary } from "../../runs/outcomes/index.ts";
import { type RunOutcome, runOutcomes } from "../../runs/runs/index.ts";
import type { VariantRow } from "../experiments/index.ts";

/** Builds the API message of a variant with the outcome of its last run. */
export const variant = (row: VariantRow, outcome?: RunOutcome) =>
  buildMessage(ExperimentVariantSchema, {
    ...row,
    progress: outcome?.progress ?? { completed: 0n, total: 0n },
    result: outcome?.result ?? null,
    summary: outcome?.summary ?? toSummary(noResults),
  });

/** Reads the outcomes of the variants' last runs: one round trip to the database and one call to catalog. */
export async function fullVariants(
  deps: Pick<Deps, "database" | "references">,
  call: Call,
  rows: readonly VariantRow[],
) {
  const outcomes = await runOutcomes(
    deps,
    call,
    rows.flatMap(({ runId }) => runId ?? []),
  );
  return rows.map((row) => create(ExperimentVariantSchema, variant(row, outcomes.get(row.runId ?? ""))));
}
