import type { Transaction } from "@ems/kit/db/transaction";
import { failure } from "@ems/kit/errors";
import type { Tenant } from "@ems/kit/tenant";
import type { Deps } from "../../deps.ts";
import { failTests, lockTests } from "../../runs/execution/index.ts";
import type { VariantRow } from "../experiments/index.ts";
import { type LockedVariant, writeVariant } from "./change-variant.ts";

const queued = `SELECT x.test_id AS id FROM experiments.test_execution x
  WHERE x.application_id = $1 AND x.run_id = $2 AND x.state = 'queued'`;

/** Rejects a variant whose run is locked. Tests whose prompts have not been requested yet fail. */
export async function reject(
  deps: Pick<Deps, "publishAll">,
  tx: Transaction,
  tenant: Tenant,
  locked: LockedVariant,
  now: Date,
): Promise<VariantRow> {
  const { experiment, variant } = locked;
  if (variant.status === "REJECTED") return variant;
  if (variant.parentId === null) throw failure("STATE_CONFLICT", "The baseline cannot be rejected");
  if (variant.id === experiment.promotedVariantId)
    throw failure("STATE_CONFLICT", "The variant was promoted: promote another variant before rejecting this one");
  const rejected = writeVariant(tx, locked, now, { status: "REJECTED", stopped: false });
  if (variant.status !== "RUNNING") return rejected;
  const rows = await tx.query<{ id: string }>(queued, [tenant.applicationId, variant.runId]);
  const ids = rows.map(({ id }) => id);
  const tests = await lockTests(tx, tenant.applicationId, ids);
  const reasons = new Map(ids.map((id) => [id, "variant_rejected: The variant was rejected"]));
  await failTests(deps, tx, tenant, now, tests, reasons);
  return rejected;
}
