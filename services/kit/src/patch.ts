// What a request changes: fields that it gives, and no others.

import type { Value } from "@bufbuild/protobuf/wkt";

/** Those of `fields` that are given. */
export function given<Fields extends object>(fields: { readonly [K in keyof Fields]: Fields[K] | undefined }) {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  // What is left has the types that it had, without undefined.
  return Object.fromEntries(entries) as Partial<Fields>;
}

/** What a field says in which null is told from absence; its rules have seen to the type. */
export function textOrNull(value: Value | undefined): string | null | undefined {
  if (value === undefined) return undefined;
  return value.kind.case === "stringValue" ? value.kind.value : null;
}

/** The same of a number. */
export function numberOrNull(value: Value | undefined): number | null | undefined {
  if (value === undefined) return undefined;
  return value.kind.case === "numberValue" ? value.kind.value : null;
}

/** The values of a filter; without any it is null, and filters nothing. */
export function someOf<T>(values: readonly T[]): readonly T[] | null {
  return values.length === 0 ? null : values;
}
