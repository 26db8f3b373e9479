// Converts the settings of links between messages and columns.

import type { Value } from "@bufbuild/protobuf/wkt";
import { toValue } from "@ems/kit/json/free-value";
import type { LinkConfig } from "@ems/proto/catalog/v1/eval_definition";
import type { TaskLinkRow } from "./entity.ts";

export type Expectation = Pick<TaskLinkRow, "expected" | "expectedList">;

/** Converts the expected answer; validation has checked that it is a text or a list of texts. */
export function expectation(config: LinkConfig | undefined): Expectation {
  const kind = config?.expected?.kind;
  switch (kind?.case) {
    case "stringValue":
      return { expected: kind.value, expectedList: null };
    case "listValue":
      return { expected: null, expectedList: kind.value.values.map(readText) };
    default:
      return { expected: null, expectedList: null };
  }
}

function readText({ kind }: Value): string {
  return kind.case === "stringValue" ? kind.value : "";
}

/** Builds a link's settings; undefined if none is set. */
export function linkConfig({ expected, expectedList }: Expectation) {
  const value = expectedList ?? expected;
  return value === null ? undefined : { expected: toValue(value) };
}
