// Reads and validates a request, reporting each issue once.

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
  // The list of issues is full: validation would add nothing.
  if (issues.length >= issuesMax) return reading;
  const violations = findViolations(desc, message);
  if (violations.length === 0) return reading;
  const fromRules = issuesFromViolations(desc, violations, message);
  // If values could not be read, the remaining violations may be artifacts and are not counted.
  const uncounted = issues.length === 0 ? violations.length - fromRules.length : 0;
  return { message, ...firstIssues([...issues, ...keepReadValues(fromRules, issues, options)], uncounted) };
}

/**
 * Keeps issues of rules whose values could be read. An unreadable value is absent or zero in the message, so issues of
 * its rules, and of rules that combine it with other values, are artifacts.
 */
function keepReadValues(fromRules: Issue[], fromShape: readonly Issue[], { text = {} }: ReadOptions): Issue[] {
  const unread = fromShape.filter(({ code }) => code !== "unrecognized_keys");
  if (unread.length === 0) return fromRules;
  const paths = new Set(unread.map(({ path }) => toKey(path)));
  const above = new Set(unread.flatMap(({ path }) => prefixes(path, 0)));
  return fromRules.filter(({ code, path }) => {
    // An unreadable body does not affect fields that are read from text.
    const isText = path[0] !== undefined && Object.hasOwn(text, path[0]);
    if (prefixes(path, isText ? 1 : 0).some((prefix) => paths.has(prefix))) return false;
    // Drop issues about a message that contains unreadable values: it is neither missing nor complete.
    const isOfTheWhole = code === "custom" || code === "invalid_type";
    return !isOfTheWhole || !above.has(toKey(path));
  });
}

/** Lists the path and its ancestors, as long as they have at least `shortest` parts. */
function prefixes(path: readonly string[], shortest: number): string[] {
  return Array.from({ length: path.length + 1 - shortest }, (_, index) => toKey(path.slice(0, index + shortest)));
}

function toKey(path: readonly string[]): string {
  return JSON.stringify(path);
}
