// Reading and validation: all issues of a request, once each.

import type { DescMessage } from "@bufbuild/protobuf";
import { firstIssues, type Issue, issuesMax } from "./issue.ts";
import { type Reading, type ReadOptions, readJson } from "./read.ts";
import { findViolations } from "./validate.ts";
import { issuesFromViolations } from "./violations.ts";

/** Reads `value` and texts into a message and validates it. */
export function readValidated<Desc extends DescMessage>(
  desc: Desc,
  value: unknown,
  options: ReadOptions = {},
): Reading<Desc> {
  const reading = readJson(desc, value, options);
  const { message, issues } = reading;
  // With a full list of issues, validation would add nothing.
  if (issues.length >= issuesMax) return reading;
  const violations = findViolations(desc, message);
  if (violations.length === 0) return reading;
  const fromRules = issuesFromViolations(desc, violations, message);
  // Beside unread values the rest may be artefacts, which are not counted.
  const uncounted = issues.length === 0 ? violations.length - fromRules.length : 0;
  return { message, ...firstIssues([...issues, ...ofReadValues(fromRules, issues, options)], uncounted) };
}

/**
 * Issues of rules over values that were read. An unread value is absent or zero in the message, so the issues of its rules,
 * and of rules over several values with it, are artefacts.
 */
function ofReadValues(fromRules: Issue[], fromShape: readonly Issue[], { text = {} }: ReadOptions): Issue[] {
  const unread = fromShape.filter(({ code }) => code !== "unrecognized_keys");
  if (unread.length === 0) return fromRules;
  const paths = new Set(unread.map(({ path }) => keyOf(path)));
  const above = new Set(unread.flatMap(({ path }) => prefixes(path, 0)));
  return fromRules.filter(({ code, path }) => {
    // A body that could not be read does not affect fields given as text.
    const isText = path[0] !== undefined && Object.hasOwn(text, path[0]);
    if (prefixes(path, isText ? 1 : 0).some((prefix) => paths.has(prefix))) return false;
    // A message that could not be read is not missing.
    const isOfTheWhole = code === "custom" || code === "invalid_type";
    return !isOfTheWhole || !above.has(keyOf(path));
  });
}

/** The path and its ancestors, from `shortest` parts on. */
function prefixes(path: readonly string[], shortest: number): string[] {
  return Array.from({ length: path.length + 1 - shortest }, (_, index) => keyOf(path.slice(0, index + shortest)));
}

function keyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}
