import type { Transaction } from "@ems/kit/db/transaction";
import { notFound } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import type { Deps } from "../deps.ts";
import {
  type LockedExperiment,
  lockExperiment,
  updateStatus,
  VariantEntity,
  type VariantRow,
} from "../experiments/index.ts";
import { type RunOutcome, runOutcomes } from "../runs/index.ts";
import { readVariant, type VariantKey } from "./queries.ts";

export interface LockedVariant extends LockedExperiment {
  readonly variant: VariantRow;
}

/** What a variant's last run came to: read before a transaction, so that no row stays locked while catalog answers. */
export async function readOutcome(
  deps: Pick<Deps, "database" | "references">,
  call: Call,
  key: VariantKey,
): Promise<RunOutcome | undefined> {
  const { variant } = await readVariant(deps.database, call, key);
  return variant.runId === null ? undefined : (await runOutcomes(deps, call, [variant.runId])).get(variant.runId);
}

export async function lockVariant(
  tx: Transaction,
  applicationId: string,
  { id, variantId }: VariantKey,
): Promise<LockedVariant> {
  const locked = await lockExperiment(tx, applicationId, id);
  const found = locked.variants.find((one) => one.id === variantId.toLowerCase());
  if (found === undefined) throw notFound("Experiment variant");
  return { ...locked, variant: found };
}

/** Changes a locked variant, and the experiment's status with it. Deferred; answers the variant. */
export function writeVariant(
  tx: Transaction,
  { experiment, variants, variant: before }: LockedVariant,
  now: Date,
  change: Partial<VariantRow>,
): VariantRow {
  const { applicationId, id } = before;
  const after = { ...before, ...change, modifiedAt: now };
  tx.deferUpdate(VariantEntity, { applicationId, id }, { ...change, modifiedAt: now });
  const all = variants.map((one) => (one.id === id ? after : one));
  updateStatus(tx, experiment, all, now);
  return after;
}
