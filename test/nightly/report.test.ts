import { expect, test } from "vitest";
import { parts } from "./parts.ts";
import { formatReport, getCounts } from "./report.ts";

const [part] = parts;
if (part === undefined) throw new Error("no parts");

test("the last closing line counts", () => {
  const output = "3 passed, 1 failed\nagain\n12 passed, 0 failed, 2 skipped\n";
  expect(getCounts({ exitCode: 0, output })).toEqual({ passed: 12, failed: 0 });
});

test("a part that ends with an error has failed, whatever it counted", () => {
  expect(getCounts({ exitCode: 1, output: "12 passed, 0 failed\n" })).toEqual({ passed: 12, failed: 1 });
  expect(getCounts({ exitCode: 1, output: "" })).toEqual({ passed: 0, failed: 1 });
});

test("a part without a closing line passed by its exit code", () => {
  expect(getCounts({ exitCode: 0, output: "All rows within their aims\n" })).toEqual({ passed: 1, failed: 0 });
});

test("the report names what failed, with its part", () => {
  const output = "failed: unit a.test.ts b\n  because: expected 1\nflaky: unit c.test.ts d\n1 passed, 1 failed\n";
  const report = formatReport([{ part, exitCode: 1, seconds: 65.4, output }]);
  expect(report).toContain(`| ${part.name} | ${part.what} | 1 | 1 | 1:05 |`);
  expect(report).toContain(`${part.name}: failed: unit a.test.ts b\n  because: expected 1`);
  expect(report).toContain(`${part.name}: flaky: unit c.test.ts d`);
});

test("the report has the tables that tests print", () => {
  const output = "stdout | a.test.ts\nreport: attacks\n| a | b |\n|---|--:|\n| x | 1 |\n\nmore\n1 passed, 0 failed\n";
  const report = formatReport([{ part, exitCode: 0, seconds: 1, output }]);
  expect(report).toContain(`## ${part.name}: attacks\n\n| a | b |\n|---|--:|\n| x | 1 |\n`);
  expect(report).not.toContain("more");
});
