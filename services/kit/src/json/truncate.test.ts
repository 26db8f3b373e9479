import { create, toBinary } from "@bufbuild/protobuf";
import { ViolationSchema, ViolationsSchema } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { describe, expect, test } from "vitest";
import type { Issue } from "./issue.ts";
import { truncateIssues, truncateViolations } from "./truncate.ts";

const more = { code: "custom", message: "There are more issues than listed here", path: [] };
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
    for (const count of [0, 1, 100]) expect(truncateIssues(issues(count))).toEqual(issues(count));
  });

  test("over a hundred are truncated to ninety-nine, with a note that there are more", () => {
    for (const count of [101, 5_000]) expect(truncateIssues(issues(count))).toEqual([...issues(99), more]);
  });

  test.each(["k", "\u0001", "ü", "\ud83d\ude00", "\ud800"])("have at most 64 KiB, paths of %j and all", (character) => {
    const path = Array.from({ length: 40 }, () => character.repeat(100_000));
    const truncated = truncateIssues(issues(100, { message: character.repeat(100_000), path }));
    expect(bytes(truncated)).toBeLessThanOrEqual(64 * 1024);
    expect(truncated.at(-1)).toEqual(more);
    expect(truncated[0]?.path.every((part) => part.length <= 100 && part.endsWith("…"))).toBe(true);
  });

  test("a single very large one is kept", () => {
    const path = Array.from({ length: 500 }, () => "\u0001".repeat(100));
    expect(truncateIssues(issues(1, { path }))).toHaveLength(1);
  });

  test("no surrogate pair is split", () => {
    const [truncated] = truncateIssues(issues(1, { path: [`${"a".repeat(98)}${"\ud83d\ude00".repeat(9)}`] }));
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

  test("are truncated to what a trailer holds, with a note that there are more", () => {
    expect(truncateViolations(violations(3))).toHaveLength(3);
    for (const truncated of [
      truncateViolations(violations(1_000)),
      truncateViolations(violations(100, "m".repeat(50_000), "k".repeat(500_000))),
    ]) {
      expect(size(truncated)).toBeLessThan(11 * 1024);
      expect(truncated.at(-1)).toMatchObject({ ruleId: "custom", message: more.message });
    }
    expect(truncateViolations(violations(1_000))).toHaveLength(100);
  });
});
