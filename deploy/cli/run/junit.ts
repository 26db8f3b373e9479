// Formats results as JUnit XML for GitLab, Jenkins, GitHub's reporters and Azure: one suite with a case per test.

import type { Outcome, TestOutcome } from "./outcome.ts";

export function junitReport({ runId, name, version, commit, notes, tests }: Outcome): string {
  const count = (matches: (test: TestOutcome) => boolean) => tests.filter(matches).length;
  const totals = attributes({
    name,
    tests: tests.length,
    failures: count(({ outcome }) => outcome === "FAILED"),
    errors: count(({ outcome }) => outcome === "ERRORED"),
    skipped: count(({ outcome }) => outcome === "NONE"),
    time: tests.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3),
  });
  const cases = [...Map.groupBy(tests, ({ taskId }) => taskId).values()].flatMap((ofTask) => ofTask.map(testcase));
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites${totals}>
<testsuite${totals}>
${properties({ run: runId, version, commit, notes })}${cases.join("")}</testsuite>
</testsuites>
`;
}

function properties(values: Readonly<Record<string, string | null>>): string {
  const present = Object.entries(values).flatMap(([name, value]) => (value === null ? [] : { name, value }));
  return `<properties>${present.map((property) => `<property${attributes(property)}/>`).join("")}</properties>\n`;
}

/** Formats a test as a case. Cases of one task are named by number, so that CI systems match them across runs. */
function testcase(test: TestOutcome, index: number): string {
  const head = attributes({ classname: test.task, name: `test ${index + 1}`, time: test.seconds.toFixed(3) });
  return `<testcase${head}>${outcomeElement(test)}<system-out>${escaped(about(test))}</system-out></testcase>\n`;
}

/** Returns the ids of the test and its task, and the prompt. */
function about({ testId, taskId, prompt }: TestOutcome): string {
  const question = typeof prompt === "string" ? prompt : JSON.stringify(prompt);
  return `test ${testId}, task ${taskId}${prompt === null ? "" : `\n${question}`}`;
}

function outcomeElement({ outcome, errorCause, reasons }: TestOutcome): string {
  if (outcome === "NONE") return `<skipped${attributes({ message: "No evaluator applies" })}/>`;
  if (outcome === "PASSED") return "";
  const element = outcome === "ERRORED" ? "error" : "failure";
  const [message = outcome === "ERRORED" ? "The test was not measured" : "The test did not pass"] = reasons;
  return `<${element}${attributes({ message, ...(errorCause !== null && { type: errorCause }) })}>${escaped(reasons.join("\n"))}</${element}>`;
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join("");
}

/** Matches characters that XML 1.0 cannot represent, even if they are escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern finds them
const impossible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Escapes text for content and attributes, including line breaks and tabs, which parsers convert to spaces. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(impossible, "\ufffd")
    .replaceAll(/[&<>"'\t\n\r]/g, (character) => entities[character] ?? `&#${character.charCodeAt(0)};`);
}
