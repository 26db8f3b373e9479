// Functions for configurations of variants and patches to them. Pure.

import type { JsonObject } from "@bufbuild/protobuf";
import type { FieldViolation } from "@ems/kit/errors";
import { isExactNumber } from "@ems/kit/json/exact-number";
import type { VariantConfig, VariantRow } from "../experiments/index.ts";

/** Returns the errors in a patch; `steps` are the external ids of the experiment's inference steps. */
export function patchFaults(patch: JsonObject, steps: ReadonlySet<string>, isBaseline: boolean): FieldViolation[] {
  const faults = Object.entries(patch).flatMap(([step, parameters]): FieldViolation[] => {
    const path = ["config_patch", step];
    if (!steps.has(step)) return [{ path, message: "No inference step of the experiment has this externalId" }];
    const isObject = typeof parameters === "object" && parameters !== null && !Array.isArray(parameters);
    if (isObject && !isExactNumber(parameters)) return [];
    return [{ path, message: "Expected an object of parameters by name" }];
  });
  if (faults.length > 0 || isBaseline) return faults;
  const [first, ...more] = Object.entries(patch).flatMap(([step, parameters]) =>
    Object.keys(parameters ?? {}).map((parameter) => ["config_patch", step, parameter]),
  );
  const message = "A variant must change exactly one parameter of one inference step";
  return first === undefined ? [{ path: ["config_patch"], message }] : more.map((path) => ({ path, message }));
}

/** Returns the parent's configuration with the parameters of the patch replaced. */
export function mergeConfig(parent: VariantConfig, patch: VariantConfig): VariantConfig {
  // Built from entries, because a step or parameter may be called `__proto__` or `constructor`.
  const merged = new Map(Object.entries(parent));
  for (const [step, parameters] of Object.entries(patch)) {
    const both = [...Object.entries(merged.get(step) ?? {}), ...Object.entries(parameters)];
    merged.set(step, Object.fromEntries(both));
  }
  return Object.fromEntries(merged);
}

/** Returns all descendants of a variant, each after its parent. */
export function listBranches<Variant extends Pick<VariantRow, "id" | "parentId">>(
  variants: readonly Variant[],
  id: string,
): Variant[] {
  const children = variants.filter(({ parentId }) => parentId === id);
  return children.flatMap((child) => [child, ...listBranches(variants, child.id)]);
}
