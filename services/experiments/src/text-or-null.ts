import type { Value } from "@bufbuild/protobuf/wkt";

/** What a field of type Value says, whose rules let pass texts and null only; undefined when it is not given. */
export function textOrNull(value: Value | undefined): string | null | undefined {
  if (value === undefined) return undefined;
  return value.kind.case === "stringValue" ? value.kind.value : null;
}
