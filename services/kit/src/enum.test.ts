import { TaskState, TaskStateSchema } from "@ems/proto/catalog/v1/task_service";
import { WordCase } from "@ems/proto/rest/v1/rest";
import { protoFixture } from "@ems/test-support/proto-fixture";
import { expect, test } from "vitest";
import { enumName, enumNames, enumValue, isOfWords, namedValues } from "./enum.ts";

test.each<[wordCase: WordCase | undefined, names: string[]]>([
  [undefined, ["NO_TESTS", "F1"]],
  [WordCase.UPPER, ["NO_TESTS", "F1"]],
  [WordCase.LOWER, ["no_tests", "f1"]],
  [WordCase.CAMEL, ["noTests", "f1"]],
  [WordCase.KEBAB, ["no-tests", "f1"]],
])("in case %s, values convert to the names %j and back", (wordCase, names) => {
  const wordCases = wordCase === undefined ? {} : { Kind: wordCase };
  const desc = protoFixture({ enums: { Kind: ["NO_TESTS", "F1"] }, wordCases, messages: {} }).getEnum("Kind");
  expect(namedValues(desc)).toEqual(names.map((name, index) => ({ name, number: index + 1 })));
  expect(enumNames(desc, [1, 2])).toEqual(names);
  expect(names.map((name) => enumValue(desc, name))).toEqual([1, 2]);
  expect(isOfWords(desc)).toBe(wordCase !== undefined);
});

test("a word may have its own case", () => {
  const { ACTIVE, SUCCESS, NO_TESTS } = TaskState;
  expect(enumNames(TaskStateSchema, [ACTIVE, SUCCESS, NO_TESTS])).toEqual(["ACTIVE", "success", "no-tests"]);
});

test("a value or name outside the enum is an error", () => {
  expect(() => enumName(TaskStateSchema, 0)).toThrow("ems.catalog.v1.TaskState has no value 0");
  expect(() => enumName(TaskStateSchema, 99)).toThrow("has no value 99");
  expect(() => enumValue(TaskStateSchema, "SUCCESS")).toThrow("has no value SUCCESS");
  expect(enumNames(TaskStateSchema, [])).toBeNull();
});
