import type { Transaction } from "@ems/kit/db/transaction";
import type { VariantConfig } from "./variant-entity.ts";

/** Variant of a run, as included in the run's prompts. */
export interface TestedVariant {
  readonly experimentId: string;
  readonly experimentVariantId: string;
  readonly overrides: VariantConfig;
}

const tested = `SELECT v.experiment_id AS "experimentId", v.id AS "experimentVariantId", v.config AS overrides
  FROM experiments.experiment_variant v WHERE v.application_id = $1 AND v.id = $2 AND v.run_id = $3`;

/** Returns the variant of a run; undefined unless the run is a variant's last one. */
export async function testedVariant(
  tx: Transaction,
  applicationId: string,
  { id, experimentVariantId }: { readonly id: string; readonly experimentVariantId: string | null },
): Promise<TestedVariant | undefined> {
  if (experimentVariantId === null) return undefined;
  const values = [applicationId, experimentVariantId, id];
  const [found] = await tx.query<TestedVariant>({ name: "tested-variant", text: tested, values });
  return found;
}
