// Limits of error responses: issues and bytes.

import { create } from "@bufbuild/protobuf";
import { type Violation, ViolationSchema } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { messageBytes } from "../message-bytes.ts";
import { echoedPath, type Issue, issuesMax } from "./issue.ts";
import * as messages from "./issue-messages.ts";

/** A response to an invalid request; the issues leave room for the message around them. */
export const errorBytesMax = 64 * 1024;
const issuesBytesMax = errorBytesMax - 1024;

/** Errors travel between services as base64 in a trailer, whose size HTTP/2 limits. */
const violationsBytesMax = 9 * 1024;

/** Characters of a rule's message, which may list allowed values. */
const messageMax = 1_000;

/** The first issues; the last one says so when there are more. */
export function truncateIssues(issues: readonly Issue[]): Issue[] {
  const truncated = issues.slice(0, issuesMax).map(({ code, message, path }) => {
    return { code, message: message.slice(0, messageMax), path: echoedPath(path) };
  });
  const bytesOf = (issue: Issue) => Buffer.byteLength(JSON.stringify(issue)) + 1;
  const fitting = fittingCount(truncated, bytesOf, issuesBytesMax);
  if (fitting === issues.length) return truncated;
  return [
    ...truncated.slice(0, Math.min(fitting, issuesMax - 1)),
    { code: "custom", message: messages.more, path: [] },
  ];
}

/** The first violations, with truncated texts; the last one says so when there are more. */
export function truncateViolations(violations: readonly Violation[]): Violation[] {
  const truncated = violations.slice(0, issuesMax);
  for (const violation of truncated) {
    violation.message = violation.message.slice(0, messageMax);
    for (const { subscript } of violation.field?.elements ?? []) {
      if (subscript.case === "stringKey") subscript.value = messages.echoed(subscript.value);
    }
  }
  const bytesOf = (violation: Violation) => messageBytes(ViolationSchema, violation) + 4;
  const fitting = fittingCount(truncated, bytesOf, violationsBytesMax);
  if (fitting === violations.length) return truncated;
  const more = create(ViolationSchema, { ruleId: "custom", message: messages.more });
  return [...truncated.slice(0, Math.min(fitting, issuesMax - 1)), more];
}

/** The number of leading items with at most `max` bytes together; at least one. */
function fittingCount<Item>(items: readonly Item[], bytesOf: (item: Item) => number, max: number): number {
  let bytes = 0;
  const first = items.findIndex((item, index) => {
    bytes += bytesOf(item);
    return bytes > max && index > 0;
  });
  return first < 0 ? items.length : first;
}
