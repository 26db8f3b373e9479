import type { DescEnum } from "@bufbuild/protobuf";

/** The name by which an enum's value is stored and shown: without the enum's own prefix, `DRAFT`. */
export function enumName(desc: DescEnum, value: number): string {
  const name = desc.value[value]?.localName;
  if (name === undefined) throw new Error(`${desc.typeName} has no value ${value}`);
  return name;
}
