import { toBinary } from "@bufbuild/protobuf";
import { protoFixture } from "@ems/test-support/proto-fixture";
import { Strict, Thing } from "@ems/test-support/thing-fixture";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { issuesMax } from "./issue.ts";
import { prepareToRead, readJson } from "./read.ts";
import { writeJson } from "./write.ts";

const datetime = "Invalid datetime";
const nul = "String must not contain a NUL character";
const illFormed = "String must be well-formed Unicode";
const oneOf = (received: string) =>
  `Invalid enum value. Expected 'DRAFT' | 'ACTIVE' | 'ARCHIVED', received '${received}'`;

describe("the issue of a value of the wrong type", () => {
  test.each<[json: unknown, code: string, message: string, path: string]>([
    [{ text: 5 }, "invalid_type", "Expected string, received number", "text"],
    [{ text: ["a"] }, "invalid_type", "Expected string, received array", "text"],
    [{ nickName: {} }, "invalid_type", "Expected string, received object", "nickName"],
    [{ text: "a\0b" }, "invalid_string", nul, "text"],
    [{ text: "a\ud800b" }, "invalid_string", illFormed, "text"],
    [{ flag: "true" }, "invalid_type", "Expected boolean, received string", "flag"],
    [{ count: "5" }, "invalid_type", "Expected number, received string", "count"],
    [{ count: 1.5 }, "invalid_type", "Expected integer, received float", "count"],
    [{ count: 2 ** 31 }, "too_big", "Number must be less than or equal to 2147483647", "count"],
    [{ count: -(2 ** 31) - 1 }, "too_small", "Number must be greater than or equal to -2147483648", "count"],
    [{ size: -1 }, "too_small", "Number must be greater than or equal to 0", "size"],
    [{ size: 2 ** 32 }, "too_big", "Number must be less than or equal to 4294967295", "size"],
    [{ total: 2 ** 53 }, "too_big", "Number must be less than or equal to 9007199254740991", "total"],
    [{ total: -(2 ** 53) }, "too_small", "Number must be greater than or equal to -9007199254740991", "total"],
    [{ total: Number.POSITIVE_INFINITY }, "too_big", "Number must be less than or equal to 9007199254740991", "total"],
    [{ big: -1 }, "too_small", "Number must be greater than or equal to 0", "big"],
    [{ skip: -1e300 }, "too_small", "Number must be greater than or equal to 0", "skip"],
    [{ limit: 1e300 }, "too_big", "Number must be less than 100", "limit"],
    [{ score: "0.5" }, "invalid_type", "Expected number, received string", "score"],
    [{ score: JSON.parse("1e999") }, "invalid_type", "Expected number, received infinity", "score"],
    [{ score: Number.NaN }, "invalid_type", "Expected number, received nan", "score"],
    [{ ratio: 1e39 }, "too_big", "Number must be less than or equal to 3.4028234663852886e+38", "ratio"],
    [{ ratio: -1e39 }, "too_small", "Number must be greater than or equal to -3.4028234663852886e+38", "ratio"],
    [{ data: "a" }, "invalid_string", "Invalid base64", "data"],
    [{ data: "_-8=" }, "invalid_string", "Invalid base64", "data"],
    [{ status: "GONE" }, "invalid_enum_value", oneOf("GONE"), "status"],
    [{ status: "UNSPECIFIED" }, "invalid_enum_value", oneOf("UNSPECIFIED"), "status"],
    [{ status: "STATUS_DRAFT" }, "invalid_enum_value", oneOf("STATUS_DRAFT"), "status"],
    [{ status: "" }, "invalid_enum_value", oneOf(""), "status"],
    [{ status: "\0" }, "invalid_string", nul, "status"],
    [{ status: 1 }, "invalid_type", "Expected 'DRAFT' | 'ACTIVE' | 'ARCHIVED', received number", "status"],
    [{ order: 1 }, "invalid_type", "Expected string, received number", "order"],
    [
      { nextStatus: "ARCHIVED" },
      "invalid_enum_value",
      "Invalid enum value. Expected 'DRAFT' | 'ACTIVE', received 'ARCHIVED'",
      "nextStatus",
    ],
    [{ statuses: ["DRAFT", "GONE"] }, "invalid_enum_value", oneOf("GONE"), "statuses.1"],
    [{ at: 1700000000 }, "invalid_type", "Expected string, received number", "at"],
    [{ at: "2024-02-30T00:00:00Z" }, "invalid_string", datetime, "at"],
    [{ at: "2024-03-10T24:00:00Z" }, "invalid_string", datetime, "at"],
    [{ at: "0001-01-01T00:00:00+00:01" }, "invalid_string", datetime, "at"],
    [{ meta: [] }, "invalid_type", "Expected object, received array", "meta"],
    [{ meta: { a: [{ b: "\0" }] } }, "invalid_string", nul, "meta.a.0.b"],
    [{ meta: { a: { "\ud800": 1 } } }, "invalid_string", illFormed, "meta.a.\ud800"],
    [{ meta: { a: JSON.parse("-1e999") } }, "invalid_type", "Expected JSON, received infinity", "meta.a"],
    [{ any: [["\0"]] }, "invalid_string", nul, "any.0.0"],
    [{ list: {} }, "invalid_type", "Expected array, received object", "list"],
    [{ list: ["\0"] }, "invalid_string", nul, "list.0"],
    [{ tags: "a" }, "invalid_type", "Expected array, received string", "tags"],
    [{ tags: ["a", null] }, "invalid_type", "Expected string, received null", "tags.1"],
    [{ few: ["a", "b", 3] }, "too_big", "Array must contain at most 2 element(s)", "few"],
    [{ headers: { a: 1 } }, "invalid_type", "Expected string, received number", "headers.a"],
    [{ headers: { "a\0": "x" } }, "invalid_string", nul, "headers.a\0"],
    [{ inner: "x" }, "invalid_type", "Expected object, received string", "inner"],
    [{ inner: {} }, "invalid_type", "Required", "inner.name"],
    [{ inner: { name: null } }, "invalid_type", "Required", "inner.name"],
    [{ inners: [{ name: "a" }, null] }, "invalid_type", "Expected object, received null", "inners.1"],
    [
      { inners: [{ name: "a", itemIds: [1] }] },
      "invalid_type",
      "Expected string, received number",
      "inners.0.itemIds.0",
    ],
    [{ byName: { x: { name: 1 } } }, "invalid_type", "Expected string, received number", "byName.x.name"],
    [{ left: "a", right: { name: "b" } }, "custom", "Only one of 'left', 'right' can be given", "right"],
    [{ extra: 1 }, "unrecognized_keys", "Unrecognized key(s) in object: 'extra'", "extra"],
    [{ nick_name: "x" }, "unrecognized_keys", "Unrecognized key(s) in object: 'nick_name'", "nick_name"],
    [{ inners: [{ name: "a", foo: 1 }] }, "unrecognized_keys", "Unrecognized key(s) in object: 'foo'", "inners.0.foo"],
    [JSON.parse('{"__proto__": {}}'), "unrecognized_keys", "Unrecognized key(s) in object: '__proto__'", "__proto__"],
    [{ toString: 1 }, "unrecognized_keys", "Unrecognized key(s) in object: 'toString'", "toString"],
    [{ "a\0": 1 }, "invalid_string", nul, "a\0"],
    [[], "invalid_type", "Expected object, received array", ""],
    [null, "invalid_type", "Expected object, received null", ""],
    ["x", "invalid_type", "Expected object, received string", ""],
    [undefined, "invalid_type", "Expected object, received undefined", ""],
  ])("%j: %s %s", (json, code, text, path) => {
    const { issues } = readJson(Thing, json);
    expect(issues).toEqual([{ code, message: text, path: path === "" ? [] : path.split(".") }]);
  });
});

test("free-form JSON that is nested too deeply for protobuf is an issue", () => {
  const deep = JSON.parse("[".repeat(40) + "]".repeat(40));
  const { issues } = readJson(Thing, { any: deep });
  expect(issues).toMatchObject([{ code: "invalid_json", message: "JSON is nested deeper than 32 levels" }]);
});

test("all issues are reported, each with its path", () => {
  const { issues } = readJson(Thing, { text: 1, flag: "x", inners: [{ name: 2 }, { nope: 1 }], zzz: 1 });
  expect(issues.map(({ path }) => path.join("."))).toEqual([
    "text",
    "flag",
    "inners.0.name",
    "inners.1.nope",
    "inners.1.name",
    "zzz",
  ]);
});

test("issues beyond the maximum are only counted", () => {
  const { issues, omitted } = readJson(Thing, { tags: Array(100_000).fill(1) });
  expect([issues.length, omitted]).toEqual([issuesMax, 100_000 - issuesMax]);
});

test("a required field that is absent or null is an issue", () => {
  const issue = (name: string) => ({ code: "invalid_type", message: "Required", path: [name] });
  expect(readJson(Strict, {}).issues).toEqual(["name", "kind", "inner", "list", "any"].map(issue));
  const nulls = { name: null, kind: null, inner: null, list: null, any: null };
  // "any" has no issue, because null is a value of google.protobuf.Value.
  expect(readJson(Strict, nulls).issues).toEqual(["name", "kind", "inner", "list"].map(issue));
});

describe("null", () => {
  test("means absence for fields of every kind", () => {
    const names = Thing.fields.map(({ jsonName }) => jsonName).filter((name) => name !== "any");
    const nulls = Object.fromEntries(names.map((name) => [name, null]));
    expect(readJson(Thing, nulls)).toEqual(readJson(Thing, {}));
  });

  test("is distinguished from absence by google.protobuf.Value", () => {
    expect(readJson(Thing, { any: null }).message).toMatchObject({ any: { kind: { case: "nullValue" } } });
    expect(readJson(Thing, {}).message).not.toHaveProperty("any");
  });
});

test("keys named like properties of JavaScript objects are ordinary data", () => {
  const json = JSON.parse('{"meta": {"__proto__": {"x": 1}, "constructor": 2}, "headers": {"__proto__": "y"}}');
  const { message: thing, issues } = readJson(Thing, json);
  expect(issues).toEqual([]);
  const text = JSON.stringify(writeJson(Thing, thing));
  expect(text).toContain('"meta":{"__proto__":{"x":1},"constructor":2}');
  expect(text).toContain('"headers":{"__proto__":"y"}');
  expect(Object.prototype).not.toHaveProperty("x");
});

test("reading never throws, and messages without issues can be sent", () => {
  const names = [...Thing.fields.map(({ jsonName }) => jsonName), "__proto__", "nope"];
  const inner = fc.dictionary(fc.constantFrom("name", "itemIds"), fc.jsonValue({ maxDepth: 2 }));
  const values = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    inner,
    fc.array(inner),
    fc.constantFrom("DRAFT", 1, "2024-03-10T12:00:00Z"),
  );
  const texts = fc.dictionary(
    fc.constantFrom(...names),
    fc.array(fc.string({ maxLength: 5 }), { minLength: 1, maxLength: 2 }),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), values), texts, (json, text) => {
      const { message: thing, issues } = readJson(Thing, json, { text });
      if (issues.length === 0) toBinary(Thing, thing);
    }),
    { numRuns: 500 },
  );
});

test.each(["google.protobuf.Duration", "google.protobuf.StringValue", "google.protobuf.BoolValue"])(
  "preparing a %s always throws",
  (type) => {
    const bad = protoFixture({
      messages: { Outer: { fields: { bad_one: { type: "Bad" } } }, Bad: { fields: { value: { type } } } },
    });
    for (let turn = 0; turn < 2; turn++) {
      expect(() => prepareToRead(bad.message("Outer"))).toThrow(
        `fixture.Bad.value: this API's JSON has no form for ${type}`,
      );
    }
  },
);
