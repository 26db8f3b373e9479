import type { Transaction } from "@ems/kit/db/transaction";
import { failure, notFound } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import type { Deps } from "../../deps.ts";
import { lockRun, type RunOutcome, type RunRow, runOutcomes } from "../../runs/runs/index.ts";
import {
  type LockedExperiment,
  lockExperiment,
  updateStatus,
  VariantEntity,
  type VariantRow,
} from "../experiments/index.ts";
import { readVariant, type VariantKey } from "./queries.ts";

export interface LockedVariant extends LockedExperiment {
  readonly variant: VariantRow;
}

/** A variant's last run and its outcome. */
export interface LastRun {
  readonly id: string | null;
  readonly outcome: RunOutcome | undefined;
}

/** Reads a variant's last run. Call before the transaction, so that no row stays locked during the call to catalog. */
export async function readLastRun(
  deps: Pick<Deps, "database" | "references">,
  call: Call,
  key: VariantKey,
): Promise<LastRun> {
  const { variant } = await readVariant(deps.database, call, key);
  const { runId: id } = variant;
  return { id, outcome: id === null ? undefined : (await runOutcomes(deps, call, [id])).get(id) };
}

export async function lockVariant(
  tx: Transaction,
  applicationId: string,
  { id, variantId }: VariantKey,
): Promise<LockedVariant> {
  const locked = await lockExperiment(tx, applicationId, id);
  const found = locked.variants.find((candidate) => candidate.id === variantId.toLowerCase());
  if (found === undefined) throw notFound("Experiment variant");
  return { ...locked, variant: found };
}

/** Locks a variant's last run, then the variant, and returns both. */
export async function lockWithRun(
  tx: Transaction,
  applicationId: string,
  key: VariantKey,
  { id }: LastRun,
): Promise<LockedVariant & { readonly run: RunRow | undefined }> {
  const run = id === null ? undefined : await lockRun(tx, applicationId, id);
  const locked = await lockVariant(tx, applicationId, key);
  if (locked.variant.runId !== id)
    throw failure("STATE_CONFLICT", "The variant was started by another request: read it and retry");
  return { ...locked, run };
}

/** Updates a locked variant and the status of its experiment with `tx.defer`; returns the variant. */
export function writeVariant(
  tx: Transaction,
  { experiment, variants, variant: before }: LockedVariant,
  now: Date,
  change: Partial<VariantRow>,
): VariantRow {
  const { applicationId, id } = before;
  const after = { ...before, ...change, modifiedAt: now };
  tx.deferUpdate(VariantEntity, { applicationId, id }, { ...change, modifiedAt: now });
  const all = variants.map((candidate) => (candidate.id === id ? after : candidate));
  updateStatus(tx, experiment, all, now);
  return after;
}
