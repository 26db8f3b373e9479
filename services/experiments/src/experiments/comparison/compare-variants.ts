import { create } from "@bufbuild/protobuf";
import { assertPageFits } from "@ems/kit/answer-size";
import { buildSelectList } from "@ems/kit/db/columns";
import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import { CompareVariantsResponseSchema, type VariantService } from "@ems/proto/experiments/v1/variant_service";
import type { Deps } from "../../deps.ts";
import { experimentById, VariantEntity, type VariantRow } from "../experiments/index.ts";
import { assertKept, type ComparedRun, comparedRuns } from "./compared-runs.ts";
import { comparison, detectDefault } from "./comparison.ts";
import { readResults } from "./queries.ts";

type Handler = Handlers<typeof VariantService>["compareVariants"];

const variantsById = `SELECT ${buildSelectList(VariantEntity, "v")} FROM experiments.experiment_variant v
  WHERE v.application_id = $1 AND v.experiment_id = $2 AND (v.id = ANY ($3::uuid[]) OR v.parent_id IS NULL)`;

/**
 * Compares two variants of an experiment by their last runs: two round trips to the database and one call to catalog.
 */
export function compareVariants({
  database,
  stores,
  references,
  retention,
}: Pick<Deps, "database" | "stores" | "references" | "retention">): Handler {
  return ({ id, baseline, variant, detect = detectDefault }, call) =>
    database.runExpensive(call, async () => {
      const named = baseline === undefined ? [variant] : [baseline, variant];
      const [experiments, rows = []] = await database.readAll(call, [
        experimentById.statement(call, id),
        { name: "compared-variants", text: variantsById, values: [call.tenant.applicationId, id, named] },
      ]);
      experimentById.only(experiments);
      // Safe cast: the row types match the statements' select lists.
      const runIds = findRunIds(rows as VariantRow[], baseline, variant);
      const started = [...new Set(runIds.filter((runId) => runId !== null))];
      const since = retention.since("results");
      if (since !== undefined) {
        const runs = await database.read<ComparedRun>(call, comparedRuns(call, started));
        assertKept(since, runs, { baseline: runIds[0], variant: runIds[1] });
      }
      const [, results] = await readResults(stores, call, started);
      const data = await comparison({ references }, call, results, runIds, detect);
      const answer = create(CompareVariantsResponseSchema, { data });
      assertPageFits(CompareVariantsResponseSchema, answer);
      return answer;
    });
}

/** Returns the last runs of both variants. */
function findRunIds(
  variants: readonly VariantRow[],
  baseline: string | undefined,
  variant: string,
): [string | null, string | null] {
  const byId = (id: string) => variants.find((candidate) => candidate.id === id.toLowerCase());
  const before = baseline === undefined ? variants.find(({ parentId }) => parentId === null) : byId(baseline);
  const after = byId(variant);
  if (before === undefined || after === undefined) throw notFound("Experiment variant");
  return [before.runId, after.runId];
}
