// Keys of configurations and tests of promptfoo that are read here; the others are listed. Pure.

import type { JsonObject } from "@bufbuild/protobuf";
import { isBlank, isObject, occurrenceColumn } from "../record.ts";

/** Key of a recorded answer. */
export const answerKey = "providerOutput";

/** Keys of a test whose meaning is read. */
const readKeys = new Set([
  occurrenceColumn,
  ...["vars", "assert", "description", "metadata", "options", "prompts", answerKey],
]);
const readOptions = new Set(["disableVarExpansion", "disableDefaultAsserts", "prefix", "suffix"]);

/** Keys of a configuration that are read, or listed by their parts. */
export const silentKeys: ReadonlySet<string> = new Set([
  ...["description", "$schema", "prompts", "tests", "scenarios", "defaultTest", "providers", "targets"],
  "assertionTemplates",
]);

interface UnknownKey {
  /** Object with the key. */
  readonly within: JsonObject;
  readonly key: string;
  readonly field: string;
  readonly message: string;
}

/** Lists the keys of a test and of its options that are not read. */
export function unknownKeys(test: JsonObject, path: string): UnknownKey[] {
  const getField = (key: string) => (path === "" ? key : `${path}.${key}`);
  const options = isObject(test.options) ? test.options : {};
  const ofTest = Object.keys(test)
    .filter((key) => !readKeys.has(key) && !isBlank(test[key]))
    .map((key) => ({ within: test, key, field: getField(key), message: `Key ${key} of a test` }));
  const ofOptions = Object.keys(options)
    .filter((key) => !readOptions.has(key))
    .map((key) => ({ within: options, key, field: getField(`options.${key}`), message: `Option ${key} of a test` }));
  return [...ofTest, ...ofOptions];
}
