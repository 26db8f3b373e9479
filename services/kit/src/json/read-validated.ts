// Reading and rules together: everything that is wrong with a request, once each.

import type { DescMessage } from "@bufbuild/protobuf";
import { gatheredMax, type Issue } from "./issue.ts";
import { type Reading, type ReadOptions, readJson } from "./read.ts";
import { findViolations } from "./validate.ts";
import { issuesFromViolations } from "./violations.ts";

/** Reads `value` and texts into a message and checks the message's rules. */
export function readValidated<Desc extends DescMessage>(
  desc: Desc,
  value: unknown,
  options: ReadOptions = {},
): Reading<Desc> {
  const { message, issues } = readJson(desc, value, options);
  // With the list full, judging what is left would cost time and tell nothing.
  if (issues.length >= gatheredMax) return { message, issues };
  const broken = findViolations(desc, message);
  if (broken.length === 0) return { message, issues };
  return { message, issues: [...issues, ...unspoiled(issuesFromViolations(desc, broken, message), issues, options)] };
}

/**
 * The issues of rules that were judged on what the client sent. Where a value could not be read, the message has nothing or a
 * zero value, and a rule about it says nothing new. Nor does a rule over several values when one of them could not be read.
 */
function unspoiled(fromRules: Issue[], fromShape: readonly Issue[], { text = {} }: ReadOptions): Issue[] {
  const unread = fromShape.filter(({ code }) => code !== "unrecognized_keys");
  if (unread.length === 0) return fromRules;
  const paths = new Set(unread.map(({ path }) => keyOf(path)));
  const above = new Set(unread.flatMap(({ path }) => prefixes(path, 0)));
  return fromRules.filter(({ code, path }) => {
    // A body that could not be read says nothing of a field that came as text.
    const isText = path[0] !== undefined && Object.hasOwn(text, path[0]);
    if (prefixes(path, isText ? 1 : 0).some((prefix) => paths.has(prefix))) return false;
    // Nor is a message missing that was given and could not be read.
    const isOfTheWhole = code === "custom" || code === "invalid_type";
    return !isOfTheWhole || !above.has(keyOf(path));
  });
}

/** The path itself and every path that it lies under, from `shortest` parts on. */
function prefixes(path: readonly string[], shortest: number): string[] {
  return Array.from({ length: path.length + 1 - shortest }, (_, index) => keyOf(path.slice(0, index + shortest)));
}

function keyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}
