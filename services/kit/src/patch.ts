// Patches: a request changes only the fields that it contains.

import type { JsonObject } from "@bufbuild/protobuf";
import type { Value } from "@bufbuild/protobuf/wkt";
import { fromValue } from "./json/free-value.ts";

/** Returns the fields that are not undefined. */
export function definedFields<Fields extends object>(fields: { readonly [K in keyof Fields]: Fields[K] | undefined }) {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  // The remaining fields have their types, without undefined.
  return Object.fromEntries(entries) as Partial<Fields>;
}

/** Reads a text from a patch: undefined if absent, null if cleared. The field's rules have checked the type. */
export function textOrNull(value: Value | undefined): string | null | undefined {
  if (value === undefined) return undefined;
  return value.kind.case === "stringValue" ? value.kind.value : null;
}

/** Reads a number from a patch: undefined if absent, null if cleared. The field's rules have checked the type. */
export function numberOrNull(value: Value | undefined): number | null | undefined {
  if (value === undefined) return undefined;
  return value.kind.case === "numberValue" ? value.kind.value : null;
}

/** Reads an object from a patch: undefined if absent, null if cleared. */
export function objectOrNull(value: Value | undefined): JsonObject | null | undefined {
  // The field's rules have checked the type.
  return value === undefined ? undefined : (fromValue(value) as JsonObject | null);
}
