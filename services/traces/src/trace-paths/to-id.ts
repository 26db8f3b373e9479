import type { JsonValue } from "@bufbuild/protobuf";
import type { StorableText } from "@ems/kit/readers";
import { idText } from "../traces/index.ts";

const lengthMax = 1_000;

/** Returns the id that a value is; undefined for objects, lists and long texts. */
export function toId(value: JsonValue): StorableText | undefined {
  const id = idText(value);
  return id !== undefined && id.length <= lengthMax ? id : undefined;
}
