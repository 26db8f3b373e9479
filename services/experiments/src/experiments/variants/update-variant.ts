import type { JsonObject } from "@bufbuild/protobuf";
import type { Transaction } from "@ems/kit/db/transaction";
import { enumName } from "@ems/kit/enum";
import { failure, invalidFields } from "@ems/kit/errors";
import { assertResourceFits } from "@ems/kit/events/publish";
import { definedFields } from "@ems/kit/patch";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  ExperimentVariantSchema,
  type VariantService,
  VariantStatusSchema,
} from "@ems/proto/experiments/v1/variant_service";
import type { Deps } from "../../deps.ts";
import {
  isStarted,
  type VariantConfig,
  VariantEntity,
  type VariantRow,
  variantVersions,
} from "../experiments/index.ts";
import { type LockedVariant, lockWithRun, readLastRun, writeVariant } from "./change-variant.ts";
import { listBranches, mergeConfig, patchFaults } from "./config.ts";
import { variant } from "./messages.ts";
import { stepsOfExperiment } from "./queries.ts";
import { reject } from "./reject.ts";

type Handler = Handlers<typeof VariantService>["updateVariant"];

/** Updates a variant, and the configurations and statuses that depend on it. */
export function updateVariant(deps: Pick<Deps, "database" | "references" | "clock" | "publishAll">): Handler {
  const { database, clock } = deps;
  return ({ title, description, status, configPatch, ...key }, call) => {
    const check = () => readLastRun(deps, call, key);
    return database.changeAfter(call, check, async (tx, last) => {
      const now = clock.now();
      const locked = await lockWithRun(tx, call.tenant.applicationId, key, last);
      variantVersions.check(call, locked.variant);
      const next = status === undefined ? locked.variant.status : enumName(VariantStatusSchema, status);
      if (next !== locked.variant.status && next !== "REJECTED") throw cannotBecome(locked.variant, next);
      const configs = configPatch === undefined ? {} : await changeConfig(tx, locked, now, configPatch);
      const changed = writeVariant(tx, locked, now, { ...definedFields({ title, description }), ...configs });
      const isRejected = next !== changed.status;
      const row = isRejected ? await reject(deps, tx, call.tenant, { ...locked, variant: changed }, now) : changed;
      variantVersions.answer(call, row);
      return { data: variant(row, last.outcome) };
    });
  };
}

const cannotBecome = ({ status }: VariantRow, next: string) =>
  failure("STATE_CONFLICT", `The variant is ${status}: its status follows from its run and cannot be set to ${next}`);

/** Returns the new configuration; also updates the configurations of all descendants. */
async function changeConfig(
  tx: Transaction,
  { experiment, variants, variant: row }: LockedVariant,
  now: Date,
  configPatch: JsonObject,
): Promise<Pick<VariantRow, "configPatch" | "config">> {
  const branches = listBranches(variants, row.id);
  if ([row, ...branches].some(isStarted))
    throw failure(
      "STATE_CONFLICT",
      "The variant, or one that branches from it, was started: its configuration is locked",
    );
  const { applicationId, id: experimentId } = experiment;
  const steps = await tx.query<{ externalId: string }>(stepsOfExperiment, [applicationId, experimentId]);
  const faults = patchFaults(configPatch, new Set(steps.map((step) => step.externalId)), row.parentId === null);
  if (faults.length > 0) throw invalidFields(faults);

  // Safe cast: `patchFaults` has validated the patch above.
  const patch = configPatch as VariantConfig;
  const configs = new Map(variants.map(({ id, config }) => [id, config]));
  const buildConfig = (of: VariantRow, its: VariantConfig) => mergeConfig(configs.get(of.parentId ?? "") ?? {}, its);
  const config = buildConfig(row, patch);
  configs.set(row.id, config);
  assertResourceFits(ExperimentVariantSchema, variant({ ...row, configPatch: patch, config }));
  for (const branch of branches) {
    const merged = buildConfig(branch, branch.configPatch);
    configs.set(branch.id, merged);
    assertResourceFits(ExperimentVariantSchema, variant({ ...branch, config: merged }));
    tx.deferUpdate(VariantEntity, { applicationId, id: branch.id }, { config: merged, modifiedAt: now });
  }
  return { configPatch: patch, config };
}
