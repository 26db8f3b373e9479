import { expect, test } from "vitest";
import type { TestModule } from "vitest/node";
import { formatSummary } from "./summary.ts";

interface Ended {
  readonly name: string;
  readonly state: "passed" | "failed" | "skipped";
  readonly errors?: { message: string }[];
  readonly tries?: number;
}

/** A file of a project with the given outcomes. */
function ended(file: string, tests: Ended[], errors: { message: string }[] = []): TestModule {
  const module = { project: { name: "api" }, relativeModuleId: file, errors: () => errors };
  const cases = tests.map(({ name, state, errors, tries = 1 }) => ({
    module,
    fullName: name,
    result: () => ({ state, errors }),
    diagnostic: () => ({ flaky: state === "passed" && tries > 1, retryCount: tries - 1 }),
  }));
  return Object.assign(module, { children: { allTests: () => cases } }) as unknown as TestModule;
}

test("counts what passed, failed and was skipped in the last line", () => {
  const tests: Ended[] = [
    { name: "one", state: "passed" },
    { name: "two", state: "passed" },
  ];
  expect(formatSummary([ended("a.test.ts", tests)])).toEqual(["2 passed, 0 failed"]);
  expect(formatSummary([ended("a.test.ts", [...tests, { name: "three", state: "skipped" }])])).toEqual([
    "2 passed, 0 failed, 1 skipped",
  ]);
});

test("names each test that failed, files that cannot be run and errors outside of tests, with the first line of the reason", () => {
  const failed: Ended = { name: "parts > one", state: "failed", errors: [{ message: "expected 1 to be 2\nmore" }] };
  const modules = [ended("a.test.ts", [failed]), ended("b.test.ts", [], [{ message: "no such file" }])];
  expect(formatSummary(modules, [{ message: "late" }])).toEqual([
    "failed: api a.test.ts parts > one",
    "  because: expected 1 to be 2",
    "failed: api b.test.ts (the file)",
    "  because: no such file",
    "failed: (outside of any test)",
    "  because: late",
    "0 passed, 3 failed",
  ]);
});

test("a property that failed says what it threw", () => {
  const message =
    "Property failed after 1 tests\n{ seed: 15 }\nCounterexample: [1]\nGot error: REST a\ngRPC b\n    at here";
  const failed: Ended = { name: "same", state: "failed", errors: [{ message }] };
  expect(formatSummary([ended("a.test.ts", [failed])])).toContain(
    "  because: Property failed after 1 tests REST a gRPC b",
  );
});

test("a test that passed only at another try counts as passed, and is named and counted as flaky", () => {
  const flaky: Ended = { name: "races", state: "passed", errors: [{ message: "too early" }], tries: 2 };
  expect(formatSummary([ended("a.test.ts", [flaky, { name: "steady", state: "passed" }])])).toEqual([
    "flaky: api a.test.ts races",
    "  because: too early",
    "1 flaky: passed only at another try",
    "2 passed, 0 failed",
  ]);
});
