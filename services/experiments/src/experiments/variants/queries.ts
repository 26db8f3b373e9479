import { buildSelectList } from "@ems/kit/db/columns";
import type { Database, Statement } from "@ems/kit/db/database";
import { notFound } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import { type ExperimentRow, experimentById, VariantEntity, type VariantRow } from "../experiments/index.ts";

const oneVariant = `SELECT ${buildSelectList(VariantEntity, "v")} FROM experiments.experiment_variant v
  WHERE v.application_id = $1 AND v.experiment_id = $2 AND v.id = $3`;

/** Ids of a variant and its experiment, as in a request. */
export interface VariantKey {
  readonly id: string;
  readonly variantId: string;
}

/** Reads an experiment and one of its variants. */
export async function readVariant(
  database: Database,
  call: Call,
  { id, variantId }: VariantKey,
): Promise<{ experiment: ExperimentRow; variant: VariantRow }> {
  const statement: Statement = {
    name: "get-experiment-variant",
    text: oneVariant,
    values: [call.tenant.applicationId, id, variantId],
  };
  const [experiments, variants = []] = await database.readAll(call, [experimentById.statement(call, id), statement]);
  const experiment = experimentById.only(experiments);
  // Safe cast: the row types match the statements' select lists.
  const [variant] = variants as VariantRow[];
  if (variant === undefined) throw notFound("Experiment variant");
  return { experiment, variant };
}

/** Selects the external ids of the inference steps of experiment `$2`. */
export const stepsOfExperiment = `SELECT s.external_id AS "externalId" FROM experiments.experiment e
  JOIN experiments.inference_step s ON s.application_id = e.application_id AND s.id = ANY (e.inference_step_ids)
  WHERE e.application_id = $1 AND e.id = $2 AND s.external_id IS NOT NULL`;
