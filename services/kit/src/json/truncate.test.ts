import { create, toBinary } from "@bufbuild/protobuf";
import { ViolationSchema, ViolationsSchema } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { itemMessageMax } from "@ems/proto/limits";
import { describe, expect, test } from "vitest";
import type { Issue } from "./issue.ts";
import { itemMessage, truncateIssues, truncateViolations } from "./truncate.ts";

const issues = (count: number, overrides: Partial<Issue> = {}): Issue[] =>
  Array.from({ length: count }, (_, index) => ({
    code: "custom",
    message: "Wrong",
    path: [String(index)],
    ...overrides,
  }));
const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify({ message: "Invalid request data", issues: value }));

describe("issues", () => {
  test("up to a hundred are unchanged", () => {
    for (const count of [0, 1, 100])
      expect(truncateIssues(issues(count))).toEqual({ issues: issues(count), omitted: 0 });
  });

  test("over a hundred are truncated to a hundred, and the others are counted", () => {
    for (const count of [101, 5_000])
      expect(truncateIssues(issues(count))).toEqual({ issues: issues(100), omitted: count - 100 });
    expect(truncateIssues(issues(102), 7)).toMatchObject({ omitted: 9 });
    expect(truncateIssues(issues(3), 7)).toEqual({ issues: issues(3), omitted: 7 });
  });

  test.each(["k", "\u0001", "ü", "\ud83d\ude00", "\ud800"])(
    "have at most 64 KiB, including paths of %j",
    (character) => {
      const path = Array.from({ length: 40 }, () => character.repeat(100_000));
      const { issues: truncated, omitted } = truncateIssues(issues(100, { message: character.repeat(100_000), path }));
      expect(bytes(truncated)).toBeLessThanOrEqual(64 * 1024);
      expect([truncated.length > 0, truncated.length + omitted]).toEqual([true, 100]);
      expect(truncated[0]?.path.every((part) => part.length <= 100 && part.endsWith("…"))).toBe(true);
    },
  );

  test("a single very large issue is kept", () => {
    const path = Array.from({ length: 500 }, () => "\u0001".repeat(100));
    expect(truncateIssues(issues(1, { path }))).toMatchObject({ issues: { length: 1 }, omitted: 0 });
  });

  test("no surrogate pair is split", () => {
    const [truncated] = truncateIssues(issues(1, { path: [`${"a".repeat(98)}${"\ud83d\ude00".repeat(9)}`] })).issues;
    expect(truncated?.path).toEqual([`${"a".repeat(98)}…`]);
  });
});

describe("violations", () => {
  const violations = (count: number, message = "Wrong", key = "k") =>
    Array.from({ length: count }, () =>
      create(ViolationSchema, {
        ruleId: "custom",
        message,
        field: { elements: [{ fieldName: "map", subscript: { case: "stringKey", value: key } }] },
      }),
    );
  const size = (truncated: ReturnType<typeof violations>) =>
    toBinary(ViolationsSchema, create(ViolationsSchema, { violations: truncated })).length;

  test("are truncated to the size of a trailer", () => {
    expect(truncateViolations(violations(3))).toHaveLength(3);
    for (const truncated of [
      truncateViolations(violations(1_000)),
      truncateViolations(violations(100, "m".repeat(50_000), "k".repeat(500_000))),
    ]) {
      expect(size(truncated)).toBeLessThan(11 * 1024);
    }
    expect(truncateViolations(violations(1_000))).toHaveLength(100);
  });
});

describe("the message for one item of many", () => {
  const long = "x".repeat(1_000);

  test.each([
    ["", "Required", "Required"],
    ["events.0.name", "Required", "events.0.name: Required"],
    ["a".repeat(190), "Required", `${"a".repeat(190)}: Required`],
  ])("is complete if it fits: %s", (path, text, message) => {
    expect(itemMessage(path, text)).toBe(message);
  });

  test("has at most 200 characters, with the beginning and the end of its path", () => {
    for (const [path, text] of [
      ["", long],
      [long, "Required"],
      ["name", long],
      [long, long],
      ["\ud83d\ude00".repeat(500), "\ud83d\ude00".repeat(500)],
    ] as const) {
      const message = itemMessage(path, text);
      expect(message.length).toBeLessThanOrEqual(itemMessageMax);
      expect(message.isWellFormed()).toBe(true);
    }
    expect(itemMessage(`steps.${long}.name`, "Required")).toMatch(/^steps\.x+…x+\.name: Required$/);
    expect(itemMessage("name", long)).toMatch(/^name: x+…$/);
  });
});
