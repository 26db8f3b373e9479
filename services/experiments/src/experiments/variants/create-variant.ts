import { failure, invalidFields, limitReached, notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { VariantService } from "@ems/proto/experiments/v1/variant_service";
import { experimentVariantsMax } from "@ems/proto/limits";
import type { Deps } from "../../deps.ts";
import {
  lockExperiment,
  updateStatus,
  type VariantConfig,
  VariantEntity,
  type VariantRow,
  variantVersions,
} from "../experiments/index.ts";
import { mergeConfig, patchFaults } from "./config.ts";
import { variant } from "./messages.ts";
import { stepsOfExperiment } from "./queries.ts";

type Handler = Handlers<typeof VariantService>["createVariant"];

/** Creates the baseline of an experiment, or a variant derived from another one. */
export function createVariant({ database, publish, clock, newId }: Deps): Handler {
  return ({ id: experimentId, title, description, configPatch = {}, parentId }, call) => {
    const { applicationId, orgId } = call.tenant;
    return database.change(call, async (tx) => {
      const [{ experiment, variants }, rows] = await Promise.all([
        lockExperiment(tx, applicationId, experimentId),
        tx.query<{ externalId: string }>(stepsOfExperiment, [applicationId, experimentId]),
      ]);
      if (experiment.status === "ARCHIVED") throw failure("STATE_CONFLICT", "The experiment is ARCHIVED");
      if (variants.length >= experimentVariantsMax) throw tooMany();
      const parent = findParent(variants, parentId);
      const faults = patchFaults(configPatch, new Set(rows.map((step) => step.externalId)), parent === undefined);
      if (faults.length > 0) throw invalidFields(faults);

      const now = clock.now();
      // Safe cast: `patchFaults` has validated the patch above.
      const patch = configPatch as VariantConfig;
      const row: VariantRow = {
        applicationId,
        id: newId(),
        orgId,
        experimentId: experiment.id,
        parentId: parent?.id ?? null,
        title,
        description: description ?? "",
        status: "DRAFT",
        configPatch: patch,
        config: mergeConfig(parent?.config ?? {}, patch),
        runId: null,
        stopped: false,
        createdAt: now,
        modifiedAt: now,
      };
      const data = variant(row);
      await tx.insert(VariantEntity, row);
      updateStatus(tx, experiment, [...variants, row], now);
      await publish(tx, call.tenant, { case: "experimentVariantCreated", value: data });
      variantVersions.answer(call, row);
      return { data };
    });
  };
}

/** Returns the parent named in the request, else the baseline; undefined for the baseline itself. */
function findParent(variants: readonly VariantRow[], parentId: string | undefined): VariantRow | undefined {
  if (parentId === undefined) return variants.find((candidate) => candidate.parentId === null);
  const parent = variants.find(({ id }) => id === parentId.toLowerCase());
  if (parent === undefined) throw notFound("Experiment variant");
  return parent;
}

const tooMany = () =>
  limitReached(`An experiment has at most ${experimentVariantsMax} variants`, experimentVariantsMax);
