import { type FieldViolation, invalidFields } from "@ems/kit/errors";
import type { GlobalConfig } from "@ems/proto/catalog/v1/eval_definition";
import { RE2JS } from "re2js";

const flagBits: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
};

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
  if (new Set(flags).size < flags.length) return { path: ["flags"], message: "Each flag may occur only once" };
  const bits = [...flags].reduce((all, flag) => all | (flagBits[flag] ?? 0), 0);
  let groupCount: number;
  try {
    groupCount = RE2JS.compile(pattern, bits).groupCount();
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    return { path: ["pattern"], message: `Not a pattern in RE2's syntax: ${reason}` };
  }
  const kind = group?.kind;
  const requested = kind?.case === "listValue" ? kind.value.values.map(({ kind }) => kind.value) : [kind?.value];
  if (requested.every((number) => Number(number) <= groupCount)) return undefined;
  return { path: ["group"], message: `The pattern has ${groupCount} groups` };
}
