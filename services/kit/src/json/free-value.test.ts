import { clone, create, equals, fromBinary, fromJson, type JsonValue, toBinary, toJson } from "@bufbuild/protobuf";
import { ListValueSchema, type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { fromListValue, fromValue, toListValue, toValue } from "./free-value.ts";

const values: JsonValue[] = [
  ...[null, true, false, 0, -1.5, "", "text", [], {}, [null, [], [1, { a: [] }]]],
  { "": "", a: { b: [{ c: null }] }, é: {} },
  JSON.parse('{"__proto__": {"constructor": 1}}'),
];

test.each(values.map((value) => [value]))("%j equals the library's Value, and is read without building it", (json) => {
  const made = fromJson(ValueSchema, json);
  const value = toValue(json);
  expect(fromValue(value)).toBe(json);
  expect(toBinary(ValueSchema, value)).toEqual(toBinary(ValueSchema, made));
  expect(toJson(ValueSchema, value)).toEqual(json);
  expect(equals(ValueSchema, clone(ValueSchema, value), made)).toBe(true);
  expect(value).toEqual(made);
  expect(fromValue(fromBinary(ValueSchema, toBinary(ValueSchema, value)))).toEqual(json);
});

test("a list equals the library's ListValue", () => {
  const list = toListValue(values);
  expect(fromListValue(list)).toBe(values);
  expect(list).toEqual(fromJson(ListValueSchema, values));
  expect(fromListValue(fromBinary(ListValueSchema, toBinary(ListValueSchema, list)))).toEqual(values);
});

test("a structure is built once, at the first use; an assigned one replaces the JSON", () => {
  let reads = 0;
  const json = {
    get read() {
      reads += 1;
      return "text";
    },
  };
  const { kind } = toValue(json);
  expect([kind.case, reads]).toEqual(["structValue", 0]);
  expect(kind.value).toBe(kind.value);
  expect(reads).toBe(1);

  const value = toValue(["old"]);
  if (value.kind.case === "listValue") value.kind.value = toListValue(["new"]);
  expect(fromValue(value)).toEqual(["new"]);
});

test("a value that is not JSON is rejected when it is read", () => {
  expect(() => fromValue(create(ValueSchema))).toThrow("must have a value");
  const infinite = { kind: { case: "numberValue", value: Number.POSITIVE_INFINITY } } as const;
  expect(() => fromValue(create(ValueSchema, infinite))).toThrow("NaN or Infinity");
  const wrong = toValue([undefined] as unknown as JsonValue);
  expect(() => toBinary(ValueSchema, wrong as Value)).toThrow("cannot decode");
});
