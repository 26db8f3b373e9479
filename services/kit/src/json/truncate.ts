// How much is told of what is wrong with a request: so many issues and so many bytes, whatever the request was.

import { create, toBinary } from "@bufbuild/protobuf";
import { type Violation, ViolationSchema } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { echoedPath, type Issue, issuesMax } from "./issue.ts";
import * as texts from "./issue-messages.ts";

/** With the message around them an answer has 64 KiB at most. */
const issuesBytesMax = 63 * 1024;

/** Errors travel between services in a trailer, which has 16 KiB, as base64. */
const violationsBytesMax = 9 * 1024;

/** The longest text of a rule; longer ones list what a field may hold. */
const messageMax = 1_000;

/** The issues that an answer tells; the last one says so when there are more. */
export function truncateIssues(issues: readonly Issue[]): Issue[] {
  const told = issues.slice(0, issuesMax).map(({ code, message, path }) => {
    return { code, message: message.slice(0, messageMax), path: echoedPath(path) };
  });
  const bytesOf = (issue: Issue) => Buffer.byteLength(JSON.stringify(issue)) + 1;
  const fitting = fittingCount(told, bytesOf, issuesBytesMax);
  if (fitting === issues.length) return told;
  return [...told.slice(0, Math.min(fitting, issuesMax - 1)), { code: "custom", message: texts.more, path: [] }];
}

/** The violations that an error carries; the last one says so when there are more. Shortens their texts. */
export function truncateViolations(violations: readonly Violation[]): Violation[] {
  const told = violations.slice(0, issuesMax);
  for (const violation of told) {
    violation.message = violation.message.slice(0, messageMax);
    for (const { subscript } of violation.field?.elements ?? []) {
      if (subscript.case === "stringKey") subscript.value = texts.echoed(subscript.value);
    }
  }
  const bytesOf = (violation: Violation) => toBinary(ViolationSchema, violation).length + 4;
  const fitting = fittingCount(told, bytesOf, violationsBytesMax);
  if (fitting === violations.length) return told;
  const more = create(ViolationSchema, { ruleId: "custom", message: texts.more });
  return [...told.slice(0, Math.min(fitting, issuesMax - 1)), more];
}

/** How many of the first together have at most `max` bytes; one at least. */
function fittingCount<Item>(items: readonly Item[], bytesOf: (item: Item) => number, max: number): number {
  let bytes = 0;
  const first = items.findIndex((item, index) => {
    bytes += bytesOf(item);
    return bytes > max && index > 0;
  });
  return first < 0 ? items.length : first;
}
