// Enum values in JSON: the name without the enum's prefix, TOPIC_STATUS_DRAFT as "DRAFT".

import type { DescEnum, DescEnumValue } from "@bufbuild/protobuf";

/** The JSON name of a value; undefined for *_UNSPECIFIED, which says nothing and is null in JSON. */
export function valueName(value: DescEnumValue): string | undefined {
  const name = value.name.slice(value.parent.sharedPrefix?.length ?? 0);
  return value.number === 0 && name === "UNSPECIFIED" ? undefined : name;
}

/** The values that have a JSON name. */
export function namedValues(desc: DescEnum): { name: string; number: number }[] {
  return desc.values.flatMap((value) => {
    const name = valueName(value);
    return name === undefined ? [] : [{ name, number: value.number }];
  });
}
