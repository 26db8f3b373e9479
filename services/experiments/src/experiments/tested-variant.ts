import type { Transaction } from "@ems/kit/db/transaction";
import type { VariantConfig } from "./variant-entity.ts";

/** The variant that a run tests, as its prompts carry it. */
export interface TestedVariant {
  readonly experimentId: string;
  readonly experimentVariantId: string;
  readonly overrides: VariantConfig;
}

const tested = `SELECT v.experiment_id AS "experimentId", v.id AS "experimentVariantId", v.config AS overrides
  FROM experiments.experiment_variant v WHERE v.application_id = $1 AND v.id = $2`;

/** Undefined of a run that tests none, or one that is no variant of ours. */
export async function testedVariant(
  tx: Transaction,
  applicationId: string,
  variantId: string | null,
): Promise<TestedVariant | undefined> {
  if (variantId === null) return undefined;
  const values = [applicationId, variantId];
  const [found] = await tx.query<TestedVariant>({ name: "tested-variant", text: tested, values });
  return found;
}
