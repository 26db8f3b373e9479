import { create, type DescMessage, fromBinary, toBinary } from "@bufbuild/protobuf";
import { violationsToProto } from "@bufbuild/protovalidate";
import { ViolationsSchema } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { describe, expect, test } from "vitest";
import { invalidField, notFound } from "../errors.ts";
import { type FieldSpec, idRules, protoFixture, type Rules } from "./proto-fixture.ts";
import { violations } from "./rules.ts";
import { issuesFromViolations, issuesFromWire, issuesOfError } from "./violations.ts";

const required: Rules = { required: true };
const string = (value: object): Rules => ({ type: { case: "string", value } });
const list = (value: object): Rules => ({ type: { case: "repeated", value } });
const map = (value: object): Rules => ({ type: { case: "map", value } });
const gte = (value: number) => ({ greaterThan: { case: "gte", value } }) as const;
const lte = (value: number) => ({ lessThan: { case: "lte", value } }) as const;
const int64 = { greaterThan: { case: "gt", value: 0n }, lessThan: { case: "lt", value: 10n } } as const;

/** One field of `type` with rules, the value that it has, and the issue that this earns. */
type Case = [name: string, spec: FieldSpec, value: unknown, code: string, message: string, path?: string[]];

const cases: Case[] = [
  [
    "string.min_len",
    { type: "STRING", rules: string({ minLen: 3n }) },
    "ab",
    "too_small",
    "String must contain at least 3 character(s)",
  ],
  [
    "string.max_len",
    { type: "STRING", rules: string({ maxLen: 2n }) },
    "abc",
    "too_big",
    "String must contain at most 2 character(s)",
  ],
  [
    "string.len, short",
    { type: "STRING", rules: string({ len: 2n }) },
    "a",
    "too_small",
    "String must contain exactly 2 character(s)",
  ],
  [
    "string.len, long",
    { type: "STRING", rules: string({ len: 2n }) },
    "abc",
    "too_big",
    "String must contain exactly 2 character(s)",
  ],
  [
    "string.min_bytes",
    { type: "STRING", rules: string({ minBytes: 3n }) },
    "é",
    "too_small",
    "String must contain at least 3 byte(s)",
  ],
  [
    "string.max_bytes",
    { type: "STRING", rules: string({ maxBytes: 3n }) },
    "éé",
    "too_big",
    "String must contain at most 3 byte(s)",
  ],
  ["string.id", { type: "STRING", rules: idRules() }, "x", "invalid_string", "Invalid UUID"],
  [
    "string.uuid",
    { type: "STRING", rules: string({ wellKnown: { case: "uuid", value: true } }) },
    "x",
    "invalid_string",
    "Invalid UUID",
  ],
  [
    "string.uuid_empty",
    { type: "STRING", rules: string({ wellKnown: { case: "uuid", value: true } }) },
    "",
    "invalid_string",
    "Invalid UUID",
  ],
  [
    "string.email",
    { type: "STRING", rules: string({ wellKnown: { case: "email", value: true } }) },
    "x",
    "invalid_string",
    "Invalid email",
  ],
  [
    "string.uri",
    { type: "STRING", rules: string({ wellKnown: { case: "uri", value: true } }) },
    "x y",
    "invalid_string",
    "Invalid url",
  ],
  ["string.pattern", { type: "STRING", rules: string({ pattern: "^a$" }) }, "b", "invalid_string", "Invalid"],
  [
    "string.prefix",
    { type: "STRING", rules: string({ prefix: "a" }) },
    "b",
    "invalid_string",
    "does not have prefix `a`",
  ],
  [
    "string.in",
    { type: "STRING", rules: string({ in: ["asc", "desc"] }) },
    "up",
    "invalid_enum_value",
    "Invalid enum value. Expected 'asc' | 'desc', received 'up'",
  ],
  ["string.const", { type: "STRING", rules: string({ const: "a" }) }, "b", "custom", "must equal `a`"],
  [
    "enum.in",
    { type: "Status", rules: { type: { case: "enum", value: { in: [1, 2] } } } },
    3,
    "invalid_enum_value",
    "Invalid enum value. Expected 'DRAFT' | 'ACTIVE'",
  ],
  [
    "enum.in, absent",
    { type: "Status", rules: { type: { case: "enum", value: { in: [1, 2] } } } },
    0,
    "invalid_type",
    "Required",
  ],
  [
    "enum.defined_only",
    { type: "Status", rules: { type: { case: "enum", value: { definedOnly: true } } } },
    9,
    "invalid_enum_value",
    "Invalid enum value. Expected 'DRAFT' | 'ACTIVE' | 'ARCHIVED'",
  ],
  [
    "int32.gte",
    { type: "INT32", rules: { type: { case: "int32", value: gte(0) } } },
    -1,
    "too_small",
    "Number must be greater than or equal to 0",
  ],
  [
    "int32.lte",
    { type: "INT32", rules: { type: { case: "int32", value: lte(9) } } },
    10,
    "too_big",
    "Number must be less than or equal to 9",
  ],
  [
    "int32.gte_lte, below",
    { type: "INT32", rules: { type: { case: "int32", value: { ...gte(1), ...lte(9) } } } },
    0,
    "too_small",
    "Number must be greater than or equal to 1",
  ],
  [
    "int32.gte_lte, above",
    { type: "INT32", rules: { type: { case: "int32", value: { ...gte(1), ...lte(9) } } } },
    10,
    "too_big",
    "Number must be less than or equal to 9",
  ],
  [
    "int64.gt_lt, below",
    { type: "INT64", rules: { type: { case: "int64", value: int64 } } },
    0n,
    "too_small",
    "Number must be greater than 0",
  ],
  [
    "int64.gt_lt, above",
    { type: "INT64", rules: { type: { case: "int64", value: int64 } } },
    10n,
    "too_big",
    "Number must be less than 10",
  ],
  [
    "int32 exclusive range",
    { type: "INT32", rules: { type: { case: "int32", value: { ...gte(9), ...lte(1) } } } },
    5,
    "custom",
    "must be greater than or equal to 9 or less than or equal to 1",
  ],
  [
    "int32.in",
    { type: "INT32", rules: { type: { case: "int32", value: { in: [1, 2] } } } },
    3,
    "custom",
    "must be in list [1, 2]",
  ],
  [
    "double.finite",
    { type: "DOUBLE", rules: { type: { case: "double", value: { finite: true } } } },
    Number.NaN,
    "invalid_type",
    "Expected number, received nan",
  ],
  [
    "repeated.min_items",
    { type: "STRING", isRepeated: true, rules: list({ minItems: 2n }) },
    ["a"],
    "too_small",
    "Array must contain at least 2 element(s)",
  ],
  [
    "repeated.max_items",
    { type: "STRING", isRepeated: true, rules: list({ maxItems: 1n }) },
    ["a", "b"],
    "too_big",
    "Array must contain at most 1 element(s)",
  ],
  [
    "repeated.unique",
    { type: "STRING", isRepeated: true, rules: list({ unique: true }) },
    ["a", "a"],
    "custom",
    "repeated value must contain unique items",
  ],
  [
    "an element",
    { type: "STRING", isRepeated: true, rules: list({ items: string({ minLen: 1n }) }) },
    ["a", ""],
    "too_small",
    "String must contain at least 1 character(s)",
    ["oneField", "1"],
  ],
  [
    "an element's range",
    {
      type: "INT32",
      isRepeated: true,
      rules: list({ items: { type: { case: "int32", value: { ...gte(1), ...lte(9) } } } }),
    },
    [5, 10],
    "too_big",
    "Number must be less than or equal to 9",
    ["oneField", "1"],
  ],
  [
    "map.min_pairs",
    { type: "STRING", isMap: true, rules: map({ minPairs: 1n }) },
    {},
    "too_small",
    "Object must contain at least 1 key(s)",
  ],
  [
    "map.max_pairs",
    { type: "STRING", isMap: true, rules: map({ maxPairs: 1n }) },
    { a: "", b: "" },
    "too_big",
    "Object must contain at most 1 key(s)",
  ],
  [
    "a map's key",
    { type: "STRING", isMap: true, rules: map({ keys: string({ maxLen: 1n }) }) },
    { ab: "" },
    "too_big",
    "String must contain at most 1 character(s)",
    ["oneField", "ab"],
  ],
  [
    "a map's value",
    { type: "STRING", isMap: true, rules: map({ values: string({ in: ["x"] }) }) },
    { a: "y" },
    "invalid_enum_value",
    "Invalid enum value. Expected 'x', received 'y'",
    ["oneField", "a"],
  ],
  [
    "required, empty string",
    { type: "STRING", rules: { ...required, ...string({ minLen: 3n }) } },
    "",
    "too_small",
    "String must contain at least 3 character(s)",
  ],
  [
    "required, empty list",
    { type: "STRING", isRepeated: true, rules: required },
    [],
    "too_small",
    "Array must contain at least 1 element(s)",
  ],
  [
    "required, empty map",
    { type: "STRING", isMap: true, rules: required },
    {},
    "too_small",
    "Object must contain at least 1 key(s)",
  ],
  [
    "required, empty bytes",
    { type: "BYTES", rules: required },
    new Uint8Array(),
    "too_small",
    "Bytes must contain at least 1 byte(s)",
  ],
  ["required, zero", { type: "INT32", rules: required }, 0, "invalid_type", "Required"],
  [
    "a rule of our own",
    { type: "STRING", rules: { cel: [{ id: "slug", message: "Invalid slug", expression: "this != 'x'" }] } },
    "x",
    "custom",
    "Invalid slug",
  ],
];

function thing(spec: FieldSpec): DescMessage {
  const enums = { Status: ["DRAFT", "ACTIVE", "ARCHIVED"] };
  return protoFixture({ enums, messages: { Thing: { fields: { one_field: spec } } } }).message("Thing");
}

describe("a broken rule is an issue, found here or told by a service", () => {
  test.each(cases)("%s", (_, spec, value, code, message, path = ["oneField"]) => {
    const desc = thing(spec);
    const made = create(desc, { oneField: value });
    const broken = violations(desc, made);
    expect(issuesFromViolations(desc, broken, made)).toEqual([{ code, message, path }]);

    const [details] = violationsToProto(broken);
    const wired = fromBinary(ViolationsSchema, toBinary(ViolationsSchema, details));
    expect(issuesFromWire(wired, desc, made)).toEqual([{ code, message, path }]);
  });
});

const { message } = protoFixture({
  messages: {
    Outer: {
      fields: {
        inner_list: { type: "Inner", isRepeated: true },
        first_name: { type: "STRING", isOptional: true },
        last_name: { type: "STRING", isOptional: true },
        left_side: { type: "STRING", oneof: "side", rules: string({ minLen: 2n }) },
        right_side: { type: "STRING", oneof: "side" },
      },
      requiredOneofs: ["side"],
      rules: { oneof: [{ fields: ["first_name", "last_name"], required: true }] },
    },
    Inner: { fields: { short_name: { type: "STRING", rules: string({ maxLen: 1n }) } } },
  },
});
const Outer = message("Outer");

test("paths go through lists and messages by JSON names", () => {
  const made = create(Outer, {
    innerList: [{}, { shortName: "ab" }],
    firstName: "x",
    side: { case: "leftSide", value: "a" },
  });
  expect(issuesFromViolations(Outer, violations(Outer, made), made)).toMatchObject([
    { code: "too_big", path: ["innerList", "1", "shortName"] },
    { code: "too_small", path: ["leftSide"] },
  ]);
});

test("rules over several fields call them by JSON names, at the path of their message", () => {
  const broken = violations(Outer, create(Outer));
  const issues = [
    { code: "custom", message: "One of firstName, lastName must be set", path: [] },
    { code: "custom", message: "Exactly one of 'leftSide', 'rightSide' must be given", path: [] },
  ];
  expect(issuesFromViolations(Outer, broken)).toEqual(issues);
  expect(issuesFromWire(violationsToProto(broken)[0], Outer)).toEqual(issues);
});

describe("violations that a service made itself", () => {
  const wire = (ruleId: string, ...names: string[]) =>
    create(ViolationsSchema, {
      violations: [
        { ruleId, message: "No such column", field: { elements: names.map((fieldName) => ({ fieldName })) } },
      ],
    });

  test("may name a code of issues", () => {
    expect(issuesFromWire(wire("invalid_enum_value", "first_name"), Outer)).toEqual([
      { code: "invalid_enum_value", message: "No such column", path: ["firstName"] },
    ]);
  });

  test("are custom otherwise, and keep names that the request's type does not have", () => {
    expect(issuesFromWire(wire("custom", "inner_list", "no_such"), Outer)).toEqual([
      { code: "custom", message: "No such column", path: ["innerList", "no_such"] },
    ]);
    expect(issuesFromWire(wire("anything", "first_name"))).toMatchObject([{ code: "custom", path: ["first_name"] }]);
  });

  test("are found in an error", () => {
    expect(issuesOfError(invalidField(["inner_list", 1, "short_name"], "No such column"), Outer)).toEqual([
      { code: "custom", message: "No such column", path: ["innerList", "1", "shortName"] },
    ]);
    expect(issuesOfError(notFound("Topic"), Outer)).toEqual([]);
  });
});

test("without the value, a broken range says both its ends", () => {
  const desc = thing({ type: "INT32", rules: { type: { case: "int32", value: { ...gte(1), ...lte(9) } } } });
  const [details] = violationsToProto(violations(desc, create(desc)));
  expect(issuesFromWire(details, desc)).toEqual([
    { code: "custom", message: "must be greater than or equal to 1 and less than or equal to 9", path: ["oneField"] },
  ]);
});
