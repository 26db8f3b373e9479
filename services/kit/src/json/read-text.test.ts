import { Strict, Thing } from "@ems/test-support/thing-fixture";
import { describe, expect, test } from "vitest";
import { readJson } from "./read.ts";

const datetime = "Invalid datetime";
const nul = "String must not contain a NUL character";
const oneOf = (received: string) =>
  `Invalid enum value. Expected 'DRAFT' | 'ACTIVE' | 'ARCHIVED', received '${received}'`;
const orders = (received: string) =>
  `Invalid enum value. Expected 'createdAt' | 'timestamp' | 'title' | 'status' | 'id', received '${received}'`;

describe("a field whose value is text", () => {
  const read = (name: string, ...values: string[]) => readJson(Thing, {}, { text: { [name]: values } });

  test.each<[name: string, values: string[], value: unknown]>([
    ["text", [""], { text: "" }],
    ["text", ["a,b"], { text: "a,b" }],
    ["count", ["-7"], { count: -7 }],
    ["count", ["-0"], { count: 0 }],
    ["total", ["9007199254740991"], { total: 9007199254740991n }],
    ["score", ["-1.5e-3"], { score: -0.0015 }],
    ["flag", ["true"], { flag: true }],
    ["flag", ["false"], { flag: false }],
    ["status", ["DRAFT"], { status: 1 }],
    ["order", ["createdAt"], { order: 1 }],
    ["orders", ["title,id"], { orders: [3, 5] }],
    ["at", ["2024-03-10T12:00:00Z"], { at: { seconds: 1710072000n } }],
    ["statuses", ["DRAFT", "ACTIVE"], { statuses: [1, 2] }],
    ["statuses", ["DRAFT,ACTIVE", "ARCHIVED"], { statuses: [1, 2, 3] }],
    ["statuses", ["", "DRAFT,,"], { statuses: [1] }],
    ["sizes", ["1,2"], { sizes: [1, 2] }],
  ])("%s=%j is read", (name, values, value) => {
    expect(read(name, ...values)).toMatchObject({ issues: [], message: value });
  });

  test.each<[name: string, values: string[], code: string, message: string, path?: string[]]>([
    ["count", [""], "invalid_type", "Expected number, received string"],
    ["count", ["x"], "invalid_type", "Expected number, received string"],
    ["count", ["0x10"], "invalid_type", "Expected number, received string"],
    ["count", ["+1"], "invalid_type", "Expected number, received string"],
    ["count", [" 1"], "invalid_type", "Expected number, received string"],
    ["count", ["1e3"], "invalid_type", "Expected number, received string"],
    ["count", ["1.5"], "invalid_type", "Expected integer, received float"],
    ["count", ["9".repeat(400)], "too_big", "Number must be less than or equal to 2147483647"],
    ["limit", ["99999999999"], "too_big", "Number must be less than 100"],
    ["total", ["9007199254740992"], "too_big", "Number must be less than or equal to 9007199254740991"],
    ["count", ["1", "2"], "invalid_type", "Expected number, received array"],
    ["text", ["a", "b"], "invalid_type", "Expected string, received array"],
    ["text", ["\0"], "invalid_string", nul],
    ["score", ["Infinity"], "invalid_type", "Expected number, received string"],
    ["score", ["1e999"], "invalid_type", "Expected number, received infinity"],
    ["flag", ["1"], "invalid_type", "Expected boolean, received string"],
    ["flag", [""], "invalid_type", "Expected boolean, received string"],
    ["status", ["draft"], "invalid_enum_value", oneOf("draft")],
    ["order", ["CREATED_AT"], "invalid_enum_value", orders("CREATED_AT")],
    ["order", [""], "invalid_enum_value", orders("")],
    ["order", ["\0"], "invalid_string", nul],
    ["order", ["id", "id"], "invalid_type", "Expected string, received array"],
    ["statuses", ["DRAFT,", "X"], "invalid_enum_value", oneOf("X"), ["statuses", "1"]],
    ["at", ["today"], "invalid_string", datetime],
    ["few", ["a,b", "c"], "too_big", "Array must contain at most 2 element(s)"],
    ["inner", ["{}"], "unrecognized_keys", "Unrecognized key(s) in object: 'inner'"],
    ["nope", ["1"], "unrecognized_keys", "Unrecognized key(s) in object: 'nope'"],
  ])("%s=%j is an issue: %s %s", (name, values, code, text, path = [name]) => {
    expect(read(name, ...values).issues[0]).toEqual({ code, message: text, path });
  });

  test("is enough for a required field", () => {
    const { issues } = readJson(Strict, {}, { text: { name: ["x"], kind: ["DRAFT"], list: ["a"] } });
    expect(issues.map(({ path }) => path)).toEqual([["inner"], ["any"]]);
  });

  test("leaves no room for the same field in the value", () => {
    const { message: thing, issues } = readJson(Thing, { text: "b" }, { text: { text: ["a"] } });
    expect(issues).toEqual([
      { code: "unrecognized_keys", message: "Unrecognized key(s) in object: 'text'", path: ["text"] },
    ]);
    expect(thing).toMatchObject({ text: "a" });
  });
});
