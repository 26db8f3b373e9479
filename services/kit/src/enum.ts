import type { DescEnum, DescEnumValue } from "@bufbuild/protobuf";

/**
 * The name under which a value is stored and shown, without the prefix of its enum: `DRAFT`. Requests' rules let through only
 * values whose names the column's type lists.
 */
export function enumName<Name extends string = string>(desc: DescEnum, value: number): Name;
export function enumName<Name extends string>(desc: DescEnum, value: number | undefined): Name | undefined;
export function enumName(desc: DescEnum, value: number | undefined): string | undefined {
  if (value === undefined) return undefined;
  const name = desc.value[value]?.localName;
  if (name === undefined) throw new Error(`${desc.typeName} has no value ${value}`);
  return name;
}

/** The enum's value of that name. */
export function enumValue(desc: DescEnum, name: string): number {
  const value = desc.values.find(({ localName }) => localName === name);
  if (value === undefined) throw new Error(`${desc.typeName} has no value ${name}`);
  return value.number;
}

/** The names of a filter's values; null, which filters nothing, when there are none. */
export function enumNames(desc: DescEnum, values: readonly number[]): string[] | null {
  return values.length === 0 ? null : values.map((value) => enumName(desc, value));
}

/** The JSON name of a value; undefined for *_UNSPECIFIED, which is null in JSON. */
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
