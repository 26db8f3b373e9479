import { checkPattern } from "@ems/assertions/compile";
import { type FieldViolation, invalidFields } from "@ems/kit/errors";
import type { GlobalConfig } from "@ems/proto/catalog/v1/eval_definition";

/** Throws for an invalid pattern, so that no evaluation can fail because of it. */
export function assertPattern(config: GlobalConfig | undefined): void {
  const fault = patternFault(config);
  if (fault !== undefined) {
    throw invalidFields([{ ...fault, path: ["global_config", "extract", ...fault.path] }]);
  }
}

/** Returns the error in the pattern, with its path within `extract`; undefined if there is none. */
export function patternFault(config: GlobalConfig | undefined): FieldViolation | undefined {
  if (config?.extract === undefined) return undefined;
  const { pattern, flags, group } = config.extract;
  const found = checkPattern({ pattern, flags });
  if (found.fault !== undefined) return { path: [found.fault.field], message: found.fault.message };
  const kind = group?.kind;
  const requested = kind?.case === "listValue" ? kind.value.values.map(({ kind }) => kind.value) : [kind?.value];
  if (requested.every((number) => Number(number) <= found.groups)) return undefined;
  return { path: ["group"], message: `The pattern has ${found.groups} groups` };
}
