import { create, toJson } from "@bufbuild/protobuf";
import { protoFixture, type Rules } from "@ems/test-support/proto-fixture";
import { expect, test } from "vitest";
import { readJson } from "./read.ts";
import { readValidated } from "./read-validated.ts";
import { getWriter, writeJson } from "./write.ts";

const text = (maxLen: bigint): Rules => ({ type: { case: "string", value: { maxLen } } });
const labels: Rules = { type: { case: "map", value: { maxPairs: 2n, keys: text(3n), values: text(5n) } } };
const few = { id: "labels.few", message: "Too many letters", expression: "size(this.by_name.map(k, k).join()) <= 4" };

const { message } = protoFixture({
  messages: {
    Change: { fields: { labels: { type: "Labels" }, names: { type: "Names" } } },
    Labels: {
      isInline: true,
      rules: { cel: [few] },
      fields: { by_name: { type: "STRING", isMap: true, rules: labels } },
    },
    Names: { isInline: true, fields: { items: { type: "STRING", isRepeated: true } } },
    Wrong: { fields: { pair: { type: "Pair" } } },
    Pair: { isInline: true, fields: { one: { type: "STRING", isRepeated: true }, two: { type: "STRING" } } },
  },
});
const Change = message("Change");

test.each([
  [{}, {}],
  [
    { labels: null, names: null },
    { labels: {}, names: {} },
  ],
  [
    { labels: {}, names: [] },
    { labels: {}, names: {} },
  ],
  [
    { labels: { a: "1" }, names: ["x"] },
    { labels: { byName: { a: "1" } }, names: { items: ["x"] } },
  ],
])("a request distinguishes a list or map that is absent, empty or set: %j", (json, read) => {
  const reading = readJson(Change, json);
  expect(reading.issues).toEqual([]);
  expect(toJson(Change, reading.message)).toEqual(read);
});

test("it is written as its content, and omitted if unset", () => {
  expect(writeJson(Change, create(Change))).toEqual({});
  const init = { labels: { byName: { a: "1" } }, names: { items: [] } };
  expect(writeJson(Change, create(Change, init))).toEqual({ labels: { a: "1" }, names: [] });
});

test.each([
  [{ labels: [] }, "invalid_type", ["labels"]],
  [{ names: {} }, "invalid_type", ["names"]],
  [{ labels: { a: 1 } }, "invalid_type", ["labels", "a"]],
  [{ names: ["a", null] }, "invalid_type", ["names", "1"]],
  [{ labels: { a: "123456" } }, "too_big", ["labels", "a"]],
  [{ labels: { abcd: "1" } }, "too_big", ["labels", "abcd"]],
  [{ labels: { abc: "1", de: "2" } }, "custom", ["labels"]],
  [{ labels: { a: "", b: "", c: "" } }, "too_big", ["labels"]],
])("issues of %j have the client's paths", (json, code, path) => {
  expect(readValidated(Change, json).issues).toMatchObject([{ code, path }]);
});

test("only one list or map can be inline", () => {
  expect(() => getWriter(message("Wrong"))).toThrow(
    "fixture.Wrong.pair: this API's JSON has no form for the inline message fixture.Pair: it is not one list or one map",
  );
});
