import { create, type DescMessage, fromBinary, toBinary } from "@bufbuild/protobuf";
import { violationsToProto } from "@bufbuild/protovalidate";
import { ViolationsSchema } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { type FieldSpec, idRules, protoFixture, type Rules } from "@ems/test-support/proto-fixture";
import { describe, expect, test } from "vitest";
import { findViolations } from "./validate.ts";
import { issuesFromViolations, issuesFromWire } from "./violations.ts";

// Specifications of fields with rules.
const text = (value: object): FieldSpec => ({ type: "STRING", rules: stringRules(value) });
const format = (name: string): FieldSpec => text({ wellKnown: { case: name, value: true } });
const state = (value: object): FieldSpec => ({ type: "Status", rules: { type: { case: "enum", value } } });
const int32 = (value: object): FieldSpec => ({ type: "INT32", rules: int32Rules(value) });
const int64 = (value: object): FieldSpec => ({ type: "INT64", rules: { type: { case: "int64", value } } });
const double = (value: object): FieldSpec => ({ type: "DOUBLE", rules: { type: { case: "double", value } } });
const texts = (value: object): FieldSpec => ({ type: "STRING", isRepeated: true, rules: listRules(value) });
const int32s = (items: Rules): FieldSpec => ({ type: "INT32", isRepeated: true, rules: listRules({ items }) });
const map = (value: object): FieldSpec => ({ type: "STRING", isMap: true, rules: { type: { case: "map", value } } });
const needed = (spec: FieldSpec): FieldSpec => ({ ...spec, rules: { ...spec.rules, required: true } });

const stringRules = (value: object): Rules => ({ type: { case: "string", value } });
const int32Rules = (value: object): Rules => ({ type: { case: "int32", value } });
const listRules = (value: object): Rules => ({ type: { case: "repeated", value } });

const from = (value: number) => ({ greaterThan: { case: "gte", value } });
const to = (value: number) => ({ lessThan: { case: "lte", value } });
const above = (value: bigint) => ({ greaterThan: { case: "gt", value } });
const below = (value: bigint) => ({ lessThan: { case: "lt", value } });
const oneToNine = { ...from(1), ...to(9) };
const uptoNine = "Number must be less than or equal to 9";
const slug = { id: "slug", message: "Invalid slug", expression: "this != 'x'" };
const outside = "must be greater than or equal to 9 or less than or equal to 1";
const states = "Invalid enum value. Expected 'DRAFT' | 'ACTIVE'";

/** A field, its value, and the expected issue. */
type Case = [name: string, spec: FieldSpec, value: unknown, code: string, message: string, below?: string];

const cases: Case[] = [
  ["string.min_len", text({ minLen: 3n }), "ab", "too_small", "String must contain at least 3 character(s)"],
  ["string.max_len", text({ maxLen: 2n }), "abc", "too_big", "String must contain at most 2 character(s)"],
  ["string.len, short", text({ len: 2n }), "a", "too_small", "String must contain exactly 2 character(s)"],
  ["string.len, long", text({ len: 2n }), "abc", "too_big", "String must contain exactly 2 character(s)"],
  ["string.min_bytes", text({ minBytes: 3n }), "é", "too_small", "String must contain at least 3 byte(s)"],
  ["string.max_bytes", text({ maxBytes: 3n }), "éé", "too_big", "String must contain at most 3 byte(s)"],
  ["string.id", { type: "STRING", rules: idRules() }, "x", "invalid_string", "Invalid UUID"],
  ["string.uuid", format("uuid"), "x", "invalid_string", "Invalid UUID"],
  ["string.uuid_empty", format("uuid"), "", "invalid_string", "Invalid UUID"],
  ["string.email", format("email"), "x", "invalid_string", "Invalid email"],
  ["string.uri", format("uri"), "x y", "invalid_string", "Invalid url"],
  ["string.pattern", text({ pattern: "^a$" }), "b", "invalid_string", "Invalid"],
  ["string.prefix", text({ prefix: "a" }), "b", "invalid_string", "does not have prefix `a`"],
  ["string.in", text({ in: ["a"] }), "b", "invalid_enum_value", "Invalid enum value. Expected 'a', received 'b'"],
  ["string.const", text({ const: "a" }), "b", "custom", "must equal `a`"],
  ["enum.in", state({ in: [1, 2] }), 3, "invalid_enum_value", states],
  ["enum.in, absent", state({ in: [1, 2] }), 0, "invalid_type", "Required"],
  ["enum.defined_only", state({ definedOnly: true }), 9, "invalid_enum_value", `${states} | 'ARCHIVED'`],
  ["int32.gte", int32(from(0)), -1, "too_small", "Number must be greater than or equal to 0"],
  ["int32.lte", int32(to(9)), 10, "too_big", uptoNine],
  ["int32.gte_lte, below", int32(oneToNine), 0, "too_small", "Number must be greater than or equal to 1"],
  ["int32.gte_lte, above", int32(oneToNine), 10, "too_big", uptoNine],
  ["int64.gt_lt, below", int64({ ...above(0n), ...below(9n) }), 0n, "too_small", "Number must be greater than 0"],
  ["int64.gt_lt, above", int64({ ...above(0n), ...below(9n) }), 9n, "too_big", "Number must be less than 9"],
  ["int32.gte_lte_exclusive", int32({ ...from(9), ...to(1) }), 5, "custom", outside],
  ["int32.in", int32({ in: [1, 2] }), 3, "custom", "must be in list [1, 2]"],
  ["double.finite", double({ finite: true }), Number.NaN, "invalid_type", "Expected number, received nan"],
  ["repeated.min_items", texts({ minItems: 2n }), ["a"], "too_small", "Array must contain at least 2 element(s)"],
  ["repeated.max_items", texts({ maxItems: 1n }), ["a", "b"], "too_big", "Array must contain at most 1 element(s)"],
  ["repeated.unique", texts({ unique: true }), ["a", "a"], "custom", "repeated value must contain unique items"],
  ["an element", texts({ items: stringRules({ pattern: "a" }) }), ["a", ""], "invalid_string", "Invalid", "1"],
  ["an element's range", int32s(int32Rules(oneToNine)), [5, 10], "too_big", uptoNine, "1"],
  ["map.min_pairs", map({ minPairs: 1n }), {}, "too_small", "Object must contain at least 1 key(s)"],
  ["map.max_pairs", map({ maxPairs: 1n }), { a: "", b: "" }, "too_big", "Object must contain at most 1 key(s)"],
  ["a map's key", map({ keys: stringRules({ pattern: "^a$" }) }), { ab: "" }, "invalid_string", "Invalid", "ab"],
  ["a map's value", map({ values: stringRules({ pattern: "x" }) }), { a: "y" }, "invalid_string", "Invalid", "a"],
  ["required, empty", needed(text({})), "", "too_small", "String must contain at least 1 character(s)"],
  ["required, short", needed(text({ minLen: 3n })), "", "too_small", "String must contain at least 3 character(s)"],
  ["required list", needed(texts({})), [], "too_small", "Array must contain at least 1 element(s)"],
  ["required map", needed(map({})), {}, "too_small", "Object must contain at least 1 key(s)"],
  ["required bytes", needed({ type: "BYTES" }), new Uint8Array(), "too_small", "Bytes must contain at least 1 byte(s)"],
  ["required number", needed(int32({})), 0, "invalid_type", "Required"],
  ["a rule of our own", { type: "STRING", rules: { cel: [slug] } }, "x", "custom", "Invalid slug"],
];

function thing(spec: FieldSpec): DescMessage {
  const enums = { Status: ["DRAFT", "ACTIVE", "ARCHIVED"] };
  return protoFixture({ enums, messages: { Thing: { fields: { one_field: spec } } } }).message("Thing");
}

describe("a violation becomes the same issue whether found here or received from a service", () => {
  test.each(cases)("%s", (_, spec, value, code, message, ...below) => {
    const desc = thing(spec);
    const made = create(desc, { oneField: value });
    const broken = findViolations(desc, made);
    const issues = [{ code, message, path: ["oneField", ...below] }];
    expect(issuesFromViolations(desc, broken, made)).toEqual(issues);

    const [details] = violationsToProto(broken);
    const wired = fromBinary(ViolationsSchema, toBinary(ViolationsSchema, details));
    expect(issuesFromWire(wired, desc, made)).toEqual(issues);
  });
});

test("without the value, an issue of a range names both bounds", () => {
  const desc = thing(int32(oneToNine));
  const [details] = violationsToProto(findViolations(desc, create(desc)));
  expect(issuesFromWire(details, desc)).toEqual([
    { code: "custom", message: "must be greater than or equal to 1 and less than or equal to 9", path: ["oneField"] },
  ]);
});
