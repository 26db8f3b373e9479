// Configurations of variants: parameters of inference steps, by the steps' ids in the application. Pure.

export type Config = Readonly<Record<string, unknown>> | null;

export interface Parameter {
  readonly step: string;
  readonly name: string;
  readonly value: unknown;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const parametersOf = (config: Config): Parameter[] =>
  Object.entries(config ?? {}).flatMap(([step, parameters]) =>
    isObject(parameters) ? Object.entries(parameters).map(([name, value]) => ({ step, name, value })) : [],
  );

/** A text as it is, anything else as JSON. */
export const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

export interface ParameterChange {
  readonly step: string;
  readonly name: string;
  /** Undefined where it is not set. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly isChanged: boolean;
}

/** All parameters of either, those that differ first. */
export function changesOf(before: Config, after: Config): ParameterChange[] {
  const rows = new Map<string, { step: string; name: string; before?: string; after?: string }>();
  for (const [side, config] of [["before", before] as const, ["after", after] as const]) {
    for (const { step, name, value } of parametersOf(config)) {
      const key = JSON.stringify([step, name]);
      rows.set(key, { ...(rows.get(key) ?? { step, name }), [side]: textOf(value) });
    }
  }
  return [...rows.values()]
    .map(({ step, name, before: was, after: is }) => ({ step, name, before: was, after: is, isChanged: was !== is }))
    .sort((a, b) => Number(b.isChanged) - Number(a.isChanged));
}

export type ValueKind = "text" | "json";

/** Texts need no quotes; numbers, flags and objects are JSON. */
export const kindOf = (value: unknown): ValueKind =>
  value === undefined || typeof value === "string" ? "text" : "json";

/** Undefined where it is no JSON. */
export function readValue(typed: string, kind: ValueKind): { readonly value: unknown } | undefined {
  if (kind === "text") return { value: typed };
  try {
    return { value: JSON.parse(typed) };
  } catch {
    return undefined;
  }
}

/** Undefined where it is no JSON object. */
export function readConfig(typed: string): Record<string, unknown> | undefined {
  const value = readValue(typed, "json")?.value;
  return isObject(value) ? value : undefined;
}
