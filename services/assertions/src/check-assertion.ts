import type { Assertion, AssertionResult, Finding } from "./assertion.ts";
import { findContained } from "./contained-values.ts";
import { editDistance, stepsMax } from "./edit-distance.ts";
import { extractFolded } from "./extract-texts.ts";
import { createFold, fold } from "./fold.ts";
import { findDifference, readJson } from "./json-text.ts";
import { findNumbers, isWithin, readDecimal, toDecimal } from "./numbers.ts";
import { explainDifference, explainDifferences, quote, quoteList } from "./show.ts";
import { validateJson } from "./validate-json.ts";

/** Checks an assertion. Costs of time and memory are bounded, and the event loop runs in between. */
export async function checkAssertion(text: string, assertion: Assertion): Promise<AssertionResult> {
  const finding = await find(text, assertion);
  if (finding.holds === undefined) return { ok: false, message: finding.message };
  if (!assertion.not) return { ok: true, passed: finding.holds, reason: finding.holds ? finding.fact : finding.fault };
  const reason = finding.holds ? `${finding.fact}, which is not allowed` : finding.fact;
  return { ok: true, passed: !finding.holds, reason };
}

function find(text: string, assertion: Assertion): Finding | Promise<Finding> {
  switch (assertion.type) {
    case "equals":
      return findEqual(text, assertion);
    case "contains":
      return findParts(text, assertion);
    case "starts-with":
      return findStart(text, assertion);
    case "matches":
      return findMatch(text, assertion);
    case "number":
      return compareNumber(text, assertion);
    case "json-equals":
      return compareJson(text, assertion);
    case "json-schema":
      return validate(text, assertion);
    case "edit-distance":
      return measureDistance(text, assertion);
    default:
      return assertion satisfies never;
  }
}

type Of<Type extends Assertion["type"]> = Extract<Assertion, { readonly type: Type }>;

/** Returns the fact and fault of a text that differs from all of the expected ones. */
const different = (expected: readonly string[], got: string): Finding => ({
  holds: false,
  fact: `Differs from ${quoteList(expected, "and")}`,
  fault: explainDifferences(expected, got),
});

function findEqual(text: string, assertion: Of<"equals">): Finding {
  const toCompared = createFold(assertion);
  const [got, expected] = [toCompared(text), assertion.expected.map(toCompared)];
  const equal = expected.find((each) => each === got);
  return equal === undefined ? different(expected, got) : { holds: true, fact: `Equals ${quote(equal)}` };
}

async function findParts(text: string, assertion: Of<"contains">): Promise<Finding> {
  const toCompared = createFold(assertion);
  const parts = [...new Set(assertion.expected.map(toCompared))];
  const got = toCompared(text);
  const searched = parts.filter((part) => part !== "");
  const [indexes = []] = await findContained(searched, [got]);
  const found = searched.filter((_, index) => indexes.includes(index));
  const missing = searched.filter((_, index) => !indexes.includes(index));
  const hasEmpty = searched.length < parts.length;
  const holds = assertion.match === "all" ? missing.length === 0 : hasEmpty || found.length > 0;
  const fact = `Contains ${quoteList(found, "and")}${missing.length > 0 ? `, and not ${quoteList(missing, "or")}` : ""}`;
  if (holds) return { holds, fact };
  const expected = assertion.match === "all" ? quoteList(missing, "and") : quoteList(missing, "or");
  return { holds, fact, fault: `Expected to contain ${expected}, got ${quote(got)}` };
}

function findStart(text: string, assertion: Of<"starts-with">): Finding {
  const [got, expected] = [createFold(assertion)(text), assertion.expected.map(createFold(assertion))];
  const start = expected.find((each) => got.startsWith(each));
  if (start !== undefined) return { holds: true, fact: `Starts with ${quote(start)}` };
  const longest = Math.max(0, ...expected.map(({ length }) => length));
  const fault = explainDifferences(expected, got.slice(0, longest)).replace(/^Expected /, "Expected the start ");
  return { holds: false, fact: `Does not start with ${quoteList(expected, "or")}`, fault };
}

async function findMatch(text: string, assertion: Of<"matches">): Promise<Finding> {
  const { exact, ignoreCase = false, pattern, flags } = assertion;
  const extract = { pattern, flags: ignoreCase && !flags.includes("i") ? `${flags}i` : flags, group: 0 };
  const found = await extractFolded(text, extract, exact);
  if (!found.ok) return { holds: undefined, message: found.message };
  const [match] = found.texts;
  if (match !== undefined) return { holds: true, fact: `${quote(match)} matches the pattern ${pattern}` };
  const fact = `No match of the pattern ${pattern}`;
  return { holds: false, fact, fault: `${fact} in ${quote(text)}` };
}

/** Maximum numbers that a reason names. */
const numbersMax = 3;

function compareNumber(text: string, { expected, tolerance }: Of<"number">): Finding {
  const [center, bound] = [toDecimal(expected), toDecimal(tolerance)];
  if (center === undefined || bound === undefined || bound.digits < 0n)
    return { holds: undefined, message: "invalid_number: Expected a number, and a tolerance that is not negative" };
  const got = fold(text);
  const [written, ...more] = findNumbers(got, numbersMax);
  const within = bound.digits === 0n ? `${expected}` : `${expected} within ${tolerance}`;
  const fail = (fact: string): Finding => ({ holds: false, fact, fault: `Expected ${within}. ${fact}` });
  if (written === undefined) return fail(`There is no number in ${quote(got)}`);
  if (more.length > 0) return fail(`There are several numbers in ${quote(got)}: ${[written, ...more].join(", ")}`);
  const number = readDecimal(written);
  if (number === undefined) return fail(`${quote(written)} is no number`);
  if (isWithin(number, center, bound)) return { holds: true, fact: `${written} is ${within}` };
  return fail(`The number is ${written}`);
}

function compareJson(text: string, assertion: Of<"json-equals">): Finding {
  const got = readJson(text, { exactNumbers: true });
  const { expected } = assertion;
  // An expected value goes through the same reader, so that both have the same form.
  const value = readJson(typeof expected === "string" ? expected : JSON.stringify(expected), { exactNumbers: true });
  if (!value.ok) return { holds: undefined, message: `invalid_json: The expected value is not JSON. ${value.message}` };
  if (!got.ok) return notJson(text, got.message);
  const difference = findDifference(value.value, got.value, createFold(assertion));
  if (difference === undefined) return { holds: true, fact: "The JSON equals the expected value" };
  const fact = `The JSON differs at ${difference.path}`;
  return { holds: false, fact, fault: `${fact}: ${difference.message}` };
}

async function validate(text: string, { schema }: Of<"json-schema">): Promise<Finding> {
  const got = readJson(text);
  if (!got.ok) return notJson(text, got.message);
  const violation = await validateJson({ schema, value: got.value }, text.length);
  switch (violation?.kind) {
    case undefined:
      return { holds: undefined, message: "schema_timeout: The schema takes too long on an answer of this size" };
    case "schema":
      return { holds: undefined, message: `invalid_schema: ${violation.message}` };
    case "none":
      return { holds: true, fact: "The JSON matches the schema" };
    case "violation": {
      const fact = `The JSON breaks the schema at ${violation.path}`;
      return { holds: false, fact, fault: `${fact}: ${violation.message}` };
    }
  }
}

function notJson(text: string, problem: string): Finding {
  return { holds: false, fact: "The text is not JSON", fault: `The text is not JSON: ${problem}. Got ${quote(text)}` };
}

async function measureDistance(text: string, assertion: Of<"edit-distance">): Promise<Finding> {
  const toCompared = createFold(assertion);
  const { max } = assertion;
  const got = toCompared(text);
  const expected = assertion.expected.map(toCompared);
  const budget = { steps: stepsMax };
  for (const each of expected) {
    const distance = await editDistance(each, got, max, budget);
    if (distance === undefined) {
      const message =
        "distance_timeout: The texts are too long for this distance: lower it, or compare a part of the answer";
      return { holds: undefined, message };
    }
    if (distance <= max)
      return { holds: true, fact: `The edit distance to ${quote(each)} is ${distance}, at most ${max}` };
  }
  const fact = `The edit distance to ${quoteList(expected, "and")} is above ${max}`;
  const [only, second] = expected;
  const detail = only === undefined || second !== undefined ? `Got ${quote(got)}` : explainDifference(only, got);
  return { holds: false, fact, fault: `${fact}. ${detail}` };
}
