import { CreateStyleGuideRequestSchema } from "@ems/proto/catalog/v1/style_guide_service";
import { idRules, protoFixture } from "@ems/test-support/proto-fixture";
import { describe, expect, test } from "vitest";
import { readValidated } from "./read-validated.ts";

const title = { type: { case: "string", value: { minLen: 1n, maxLen: 3n } } } as const;
const anyOf = (...fields: string[]) => ({ oneof: [{ fields, required: true }] });
const { message } = protoFixture({
  messages: {
    Make: {
      fields: {
        id: { type: "STRING", rules: idRules() },
        title: { type: "STRING", rules: { required: true, ...title } },
        ids: {
          type: "STRING",
          isRepeated: true,
          rules: { type: { case: "repeated", value: { minItems: 1n, maxItems: 3n, unique: true, items: idRules() } } },
        },
      },
    },
    Change: {
      fields: { resolved: { type: "BOOL", isOptional: true }, person: { type: "STRING", isOptional: true } },
      rules: anyOf("resolved", "person"),
    },
  },
});
const Make = message("Make");
const Change = message("Change");
const uuid = "01890a5d-ac96-774b-bcce-b302099a8057";
const text = { id: [uuid] };
const issueLines = (issues: { code: string; path: string[] }[]) =>
  issues.map(({ code, path }) => `${path.join(".")}: ${code}`);

test("a valid request has no issues", () => {
  expect(readValidated(Make, { title: "abc", ids: [uuid] }, { text })).toMatchObject({
    issues: [],
    message: { id: uuid, title: "abc", ids: [uuid] },
  });
});

test("issues of shape and of rules are reported together", () => {
  const { issues } = readValidated(Make, { title: "abcd", ids: [uuid, 5, "x"], more: 1 }, { text: { id: ["x"] } });
  expect(issueLines(issues).sort()).toEqual([
    "id: invalid_string",
    "ids.1: invalid_type",
    "ids.2: invalid_string",
    "more: unrecognized_keys",
    "title: too_big",
  ]);
});

describe("each error is reported once", () => {
  test.each<[json: unknown, issues: string[]]>([
    [{ ids: [uuid] }, ["title: invalid_type"]],
    [{ title: null, ids: [uuid] }, ["title: invalid_type"]],
    [{ title: 5, ids: [uuid] }, ["title: invalid_type"]],
    [{ title: "", ids: [uuid] }, ["title: too_small"]],
    [{ title: "a", ids: [] }, ["ids: too_small"]],
    [{ title: "a", ids: "x" }, ["ids: invalid_type"]],
    [{ title: "a", ids: [uuid, uuid, uuid, "x"] }, ["ids: too_big"]],
    // Two unreadable elements do not count as two equal elements.
    [{ title: "a", ids: [1, 2] }, ["ids.0: invalid_type", "ids.1: invalid_type"]],
    [{ title: "a", ids: [uuid], id: uuid }, ["id: unrecognized_keys"]],
    [[], [": invalid_type"]],
  ])("%j: %j", (json, issues) => {
    expect(issueLines(readValidated(Make, json, { text }).issues)).toEqual(issues);
  });
});

test("an unreadable body does not hide issues of the path", () => {
  const { issues } = readValidated(Make, [], { text: { id: ["x"] } });
  expect(issueLines(issues)).toEqual([": invalid_type", "id: invalid_string"]);
});

test("an unrecognized key hides no violation of a field of that name", () => {
  const { issues } = readValidated(Make, { title: "a", ids: [uuid], id: "y" }, { text: { id: ["x"] } });
  expect(issueLines(issues)).toEqual(["id: unrecognized_keys", "id: invalid_string"]);
});

test("a rule over several fields applies only if all could be read", () => {
  expect(issueLines(readValidated(Change, {}).issues)).toEqual([": custom"]);
  expect(issueLines(readValidated(Change, { nope: 1 }).issues)).toEqual(["nope: unrecognized_keys", ": custom"]);
  expect(issueLines(readValidated(Change, { resolved: "yes" }).issues)).toEqual(["resolved: invalid_type"]);
});

test("a required message that could not be read is not reported as missing", () => {
  const fields = { payload: { type: "google.protobuf.Struct", rules: { required: true } } };
  const { message: fixture } = protoFixture({ messages: { Free: { fields } } });
  expect(issueLines(readValidated(fixture("Free"), { payload: { a: "\0" } }).issues)).toEqual([
    "payload.a: invalid_string",
  ]);
  expect(issueLines(readValidated(fixture("Free"), {}).issues)).toEqual(["payload: invalid_type"]);
});

test("a required value may be empty if the contract allows it", () => {
  const issues = (value: object) => readValidated(CreateStyleGuideRequestSchema, value).issues;
  for (const value of [{ content: [] }, { content: [{ heading: "", content: "" }] }]) expect(issues(value)).toEqual([]);
  for (const value of [{}, { content: null }]) {
    expect(issues(value)).toEqual([{ code: "invalid_type", message: "Required", path: ["content"] }]);
  }
});
