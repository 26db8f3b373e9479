import * as fc from "fast-check";
import { SaxesParser } from "saxes";
import { expect, test } from "vitest";
import { junitReport } from "./junit.ts";
import type { Outcome, TestOutcome } from "./outcome.ts";

const passing: TestOutcome = {
  testId: "t1",
  taskId: "k1",
  task: "Opening hours",
  prompt: "Until when are you open?",
  outcome: "PASSED",
  score: 1,
  errorCause: null,
  seconds: 1.5,
  reasons: [],
};
const report = (...tests: TestOutcome[]) =>
  junitReport({
    runId: "r1",
    name: "Nightly <2>",
    version: "v2",
    commit: null,
    notes: "a & b",
    status: "COMPLETED",
    passed: 0,
    failed: 0,
    errored: 0,
    none: 0,
    passRate: null,
    tests,
  } satisfies Outcome);

interface Element {
  readonly name: string;
  readonly attributes: Record<string, string>;
  text: string;
}

/** Parses the XML with a strict parser and returns its elements. */
function parse(xml: string): Element[] {
  const parser = new SaxesParser();
  const elements: Element[] = [];
  const open: Element[] = [];
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, text: "" };
    elements.push(element);
    open.push(element);
  });
  parser.on("text", (text) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  });
  parser.on("closetag", () => open.pop());
  parser.write(xml).close();
  return elements;
}

test("a suite counts its tests, and each case has its result and its reason", () => {
  const failed = { ...passing, outcome: "FAILED" as const, reasons: ["Match: expected 5, got 6", "Tone: rude"] };
  const broken = {
    ...passing,
    taskId: "k2",
    task: "Fees",
    outcome: "ERRORED" as const,
    errorCause: "APPLICATION",
    reasons: ["no_trace: No trace arrived"],
  };
  const elements = parse(report(passing, failed, broken, { ...passing, outcome: "NONE" }));
  expect(elements[1]?.attributes).toEqual({
    name: "Nightly <2>",
    tests: "4",
    failures: "1",
    errors: "1",
    skipped: "1",
    time: "6.000",
  });
  const of = (name: string) => elements.filter((element) => element.name === name);
  expect(of("property").map(({ attributes }) => attributes)).toEqual([
    { name: "run", value: "r1" },
    { name: "version", value: "v2" },
    { name: "notes", value: "a & b" },
  ]);
  expect(of("testcase").map(({ attributes: { classname, name } }) => `${classname} ${name}`)).toEqual([
    "Opening hours test 1",
    "Opening hours test 2",
    "Opening hours test 3",
    "Fees test 1",
  ]);
  expect(of("failure")).toMatchObject([
    { attributes: { message: failed.reasons[0] }, text: failed.reasons.join("\n") },
  ]);
  expect(of("error")).toMatchObject([{ attributes: { message: broken.reasons[0] } }]);
  expect(of("skipped")).toHaveLength(1);
});

test("any title and any reason is valid XML, and is unchanged if XML can represent it", () => {
  const texts = fc.string({
    unit: fc.oneof(
      fc.string({ unit: "binary", maxLength: 3 }),
      fc.constantFrom("]]>", "<!--", "&#0;", "\r\n", "\ud800", "\uffff"),
    ),
  });
  fc.assert(
    fc.property(texts, texts, (task, reason) => {
      const elements = parse(report({ ...passing, task, outcome: "FAILED", reasons: [reason] }));
      const readable = (text: string) =>
        // biome-ignore lint/suspicious/noControlCharactersInRegex: XML has no form for these
        text.toWellFormed().replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd");
      expect(elements.find(({ name }) => name === "testcase")?.attributes.classname).toBe(readable(task));
      expect(elements.find(({ name }) => name === "failure")).toMatchObject({
        attributes: { message: readable(reason) },
        text: readable(reason),
      });
    }),
  );
});
