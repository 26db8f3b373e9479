// Names of enum values: in JSON and in rows. They have no prefix, and the case of their enum (ems.rest.v1.words).

import { type DescEnum, type DescEnumValue, getOption } from "@bufbuild/protobuf";
import { WordCase, word, words } from "@ems/proto/rest/v1/rest";

/**
 * Returns the name under which a value is stored and returned. Requests' rules allow only values whose names are in the
 * column's type.
 */
export function enumName<Name extends string = string>(desc: DescEnum, value: number): Name;
export function enumName<Name extends string>(desc: DescEnum, value: number | undefined): Name | undefined;
export function enumName(desc: DescEnum, value: number | undefined): string | undefined {
  if (value === undefined) return undefined;
  const name = getNames(desc).names.get(value);
  if (name === undefined) throw new Error(`${desc.typeName} has no value ${value}`);
  return name;
}

/** Returns the enum's value with that name. */
export function enumValue(desc: DescEnum, name: string): number {
  const value = getNames(desc).numbers.get(name);
  if (value === undefined) throw new Error(`${desc.typeName} has no value ${name}`);
  return value;
}

/** Returns the names of a filter's values; null, which does not filter, if there are none. */
export function enumNames(desc: DescEnum, values: readonly number[]): string[] | null {
  return values.length === 0 ? null : values.map((value) => enumName(desc, value));
}

/** Returns the JSON name of a value; undefined for *_UNSPECIFIED, which is null in JSON. */
export function valueName(value: DescEnumValue): string | undefined {
  const name = value.name.slice(value.parent.sharedPrefix?.length ?? 0);
  if (value.number === 0 && name === "UNSPECIFIED") return undefined;
  return inCase(name, getOption(value, word) || getOption(value.parent, words));
}

/** Returns the values that have a JSON name. */
export function namedValues(desc: DescEnum): { name: string; number: number }[] {
  return [...getNames(desc).numbers].map(([name, number]) => ({ name, number }));
}

/** Returns true if the enum's values are words in JSON (ems.rest.v1.words). */
export function isOfWords(desc: DescEnum): boolean {
  return getOption(desc, words) !== WordCase.UNSPECIFIED;
}

interface Names {
  readonly names: ReadonlyMap<number, string>;
  readonly numbers: ReadonlyMap<string, number>;
}

const cached = new WeakMap<DescEnum, Names>();

function getNames(desc: DescEnum): Names {
  const cachedNames = cached.get(desc);
  if (cachedNames !== undefined) return cachedNames;
  const named = desc.values.flatMap((value) => {
    const name = valueName(value);
    return name === undefined ? [] : [[name, value.number] as const];
  });
  const made = { names: new Map(named.map(([name, number]) => [number, name])), numbers: new Map(named) };
  cached.set(desc, made);
  return made;
}

function inCase(name: string, wordCase: WordCase): string {
  switch (wordCase) {
    case WordCase.LOWER:
      return name.toLowerCase();
    case WordCase.CAMEL:
      return name.toLowerCase().replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    case WordCase.KEBAB:
      return name.toLowerCase().replaceAll("_", "-");
    default:
      return name;
  }
}
