// Pure functions for variants' configurations: parameters by the inference step's id in the application.

import { parseJson } from "../api/exact-json.ts";

export type Config = Readonly<Record<string, unknown>> | null;

export interface Parameter {
  readonly step: string;
  readonly name: string;
  readonly value: unknown;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const listParameters = (config: Config): Parameter[] =>
  Object.entries(config ?? {}).flatMap(([step, parameters]) =>
    isObject(parameters) ? Object.entries(parameters).map(([name, value]) => ({ step, name, value })) : [],
  );

/** Formats a value: text unchanged, anything else as JSON. */
export const formatValue = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

export interface ParameterChange {
  readonly step: string;
  readonly name: string;
  /** Value in the first configuration. Undefined if the parameter is not set there. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly isChanged: boolean;
}

/** Lists the parameters of both configurations. Parameters with different values come first. */
export function listChanges(before: Config, after: Config): ParameterChange[] {
  const rows = new Map<string, { step: string; name: string; before?: string; after?: string }>();
  for (const [side, config] of [["before", before] as const, ["after", after] as const]) {
    for (const { step, name, value } of listParameters(config)) {
      const key = JSON.stringify([step, name]);
      rows.set(key, { ...(rows.get(key) ?? { step, name }), [side]: formatValue(value) });
    }
  }
  return [...rows.values()]
    .map(({ step, name, before: was, after: is }) => ({ step, name, before: was, after: is, isChanged: was !== is }))
    .sort((a, b) => Number(b.isChanged) - Number(a.isChanged));
}

export type ValueKind = "text" | "json";

/** Returns the input kind of a value: text without quotes, or JSON for numbers, booleans and objects. */
export const getKind = (value: unknown): ValueKind =>
  value === undefined || typeof value === "string" ? "text" : "json";

/** Parses an entered value; undefined if it is not valid JSON. */
export function readValue(typed: string, kind: ValueKind): { readonly value: unknown } | undefined {
  if (kind === "text") return { value: typed };
  try {
    return { value: parseJson(typed) };
  } catch {
    return undefined;
  }
}

/** Parses an entered configuration; undefined if it is not a JSON object. */
export function readConfig(typed: string): Record<string, unknown> | undefined {
  const value = readValue(typed, "json")?.value;
  return isObject(value) ? value : undefined;
}
