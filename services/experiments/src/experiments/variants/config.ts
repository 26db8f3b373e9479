// What variants change, and what follows from it. Pure.

import type { JsonObject } from "@bufbuild/protobuf";
import type { FieldViolation } from "@ems/kit/errors";
import type { VariantConfig, VariantRow } from "../experiments/index.ts";

/** What is wrong in a patch; `steps` are the external ids of the experiment's inference steps. */
export function patchFaults(patch: JsonObject, steps: ReadonlySet<string>, isBaseline: boolean): FieldViolation[] {
  const faults = Object.entries(patch).flatMap(([step, parameters]): FieldViolation[] => {
    const path = ["config_patch", step];
    if (!steps.has(step)) return [{ path, message: "No inference step of the experiment has this externalId" }];
    if (typeof parameters === "object" && parameters !== null && !Array.isArray(parameters)) return [];
    return [{ path, message: "Expected an object by parameter" }];
  });
  if (faults.length > 0 || isBaseline) return faults;
  const [first, ...more] = Object.entries(patch).flatMap(([step, parameters]) =>
    Object.keys(parameters ?? {}).map((parameter) => ["config_patch", step, parameter]),
  );
  const message = "A variant changes one parameter of one inference step";
  return first === undefined ? [{ path: ["config_patch"], message }] : more.map((path) => ({ path, message }));
}

/** The parent's configuration, with the parameters of the patch in place of its own. */
export function mergeConfig(parent: VariantConfig, patch: VariantConfig): VariantConfig {
  // Made from entries: a step or parameter may be named as a member of every object.
  const merged = new Map(Object.entries(parent));
  for (const [step, parameters] of Object.entries(patch)) {
    const both = [...Object.entries(merged.get(step) ?? {}), ...Object.entries(parameters)];
    merged.set(step, Object.fromEntries(both));
  }
  return Object.fromEntries(merged);
}

/** The variants that branch from one, at any distance, each after its parent. */
export function branchesOf<Variant extends Pick<VariantRow, "id" | "parentId">>(
  variants: readonly Variant[],
  id: string,
): Variant[] {
  const children = variants.filter(({ parentId }) => parentId === id);
  return children.flatMap((child) => [child, ...branchesOf(variants, child.id)]);
}
