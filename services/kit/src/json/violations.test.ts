import { create } from "@bufbuild/protobuf";
import { violationsToProto } from "@bufbuild/protovalidate";
import { ViolationsSchema } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { protoFixture, type Rules } from "@ems/test-support/proto-fixture";
import { describe, expect, test } from "vitest";
import { invalidField, notFound } from "../errors.ts";
import { findViolations } from "./validate.ts";
import { issuesFromViolations, issuesFromWire, issuesOfError } from "./violations.ts";

const string = (value: object): Rules => ({ type: { case: "string", value } });

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

test("paths through lists and messages have JSON names", () => {
  const made = create(Outer, {
    innerList: [{}, { shortName: "ab" }],
    firstName: "x",
    side: { case: "leftSide", value: "a" },
  });
  expect(issuesFromViolations(Outer, findViolations(Outer, made), made)).toMatchObject([
    { code: "too_big", path: ["innerList", "1", "shortName"] },
    { code: "too_small", path: ["leftSide"] },
  ]);
});

test("rules over several fields use their JSON names, at the path of their message", () => {
  const broken = findViolations(Outer, create(Outer));
  const issues = [
    { code: "custom", message: "One of firstName, lastName must be set", path: [] },
    { code: "custom", message: "Exactly one of 'leftSide', 'rightSide' must be given", path: [] },
  ];
  expect(issuesFromViolations(Outer, broken)).toEqual(issues);
  expect(issuesFromWire(violationsToProto(broken)[0], Outer)).toEqual(issues);
});

test("a rule of a whole message names the field to correct with the start of its id", () => {
  const cel = [{ id: "first_name.known", message: "No such person", expression: "this.first_name != 'x'" }];
  const { message } = protoFixture({
    messages: { Sentence: { fields: { first_name: { type: "STRING" } }, rules: { cel } } },
  });
  const Sentence = message("Sentence");
  const broken = findViolations(Sentence, create(Sentence, { firstName: "x" }));
  const issues = [{ code: "custom", message: "No such person", path: ["firstName"] }];
  expect(issuesFromViolations(Sentence, broken)).toEqual(issues);
  expect(issuesFromWire(violationsToProto(broken)[0], Sentence)).toEqual(issues);
});

test("a rule over several fields whose id starts with a field's path is reported at that field", () => {
  const rule = (id: string) => ({ id, message: "No", expression: "false" });
  const ids = ["first_name.needed", "inner.short_name.needed", "inner_list.short_name.x", "no_such.needed", "message"];
  const fields = {
    first_name: { type: "STRING" },
    inner: { type: "Inner" },
    inner_list: { type: "Inner", isRepeated: true },
    message: { type: "STRING" },
  };
  const rules = { cel: ids.map(rule), oneof: [{ fields: ["first_name"], required: true }] };
  const { message: of } = protoFixture({
    messages: { Ruled: { fields, rules }, Inner: { fields: { short_name: { type: "STRING" } } } },
  });
  const broken = findViolations(of("Ruled"), create(of("Ruled")));
  const paths = [["firstName"], ["inner", "shortName"], ["innerList"], [], ["message"], []];
  const issues = issuesFromViolations(of("Ruled"), broken);
  expect(new Set(issues.map(({ path }) => JSON.stringify(path)))).toEqual(new Set(paths.map((p) => JSON.stringify(p))));
  expect(issues.every(({ code }) => code === "custom")).toBe(true);
  expect(issuesFromWire(violationsToProto(broken)[0], of("Ruled"))).toEqual(issues);
});

describe("violations created by a service", () => {
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

  test("are custom otherwise, and keep names that are unknown to the request's type", () => {
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
