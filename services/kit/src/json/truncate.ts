// Limits of error responses: issues and bytes.

import { type Violation, ViolationSchema } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { itemMessageMax } from "@ems/proto/limits";
import { messageBytes } from "../message-bytes.ts";
import { echoedPath, type Issue, type Issues, issuesMax } from "./issue.ts";
import * as messages from "./issue-messages.ts";

/** Maximum bytes of a response to an invalid request; issues leave room for the message around them. */
export const errorBytesMax = 64 * 1024;
const issuesBytesMax = errorBytesMax - 1024;

/** Errors travel between services as base64 in a trailer, whose size HTTP/2 limits. */
const violationsBytesMax = 9 * 1024;

/** Maximum characters of a rule's message, which may list allowed values. */
const messageMax = 1_000;

/** Returns the first issues, with truncated texts; `omitted` is the number of issues dropped before. */
export function truncateIssues(issues: readonly Issue[], omitted = 0): Issues {
  const truncated = issues.slice(0, issuesMax).map(({ code, message, path }) => {
    return { code, message: message.slice(0, messageMax), path: echoedPath(path) };
  });
  const countBytes = (issue: Issue) => Buffer.byteLength(JSON.stringify(issue)) + 1;
  const fitting = fittingCount(truncated, countBytes, issuesBytesMax);
  return { issues: truncated.slice(0, fitting), omitted: omitted + issues.length - fitting };
}

/** Returns the first violations, with truncated texts. */
export function truncateViolations(violations: readonly Violation[]): Violation[] {
  const truncated = violations.slice(0, issuesMax);
  for (const violation of truncated) {
    violation.message = violation.message.slice(0, messageMax);
    for (const { subscript } of violation.field?.elements ?? []) {
      if (subscript.case === "stringKey") subscript.value = messages.echoed(subscript.value);
    }
  }
  const countBytes = (violation: Violation) => messageBytes(ViolationSchema, violation) + 4;
  return truncated.slice(0, fittingCount(truncated, countBytes, violationsBytesMax));
}

/**
 * Minimum characters of the path: the text is shortened first. The path is cut in the middle, since its end names the
 * field.
 */
const itemPathMin = 60;

/** Formats the message for one item of a bulk request. */
export function itemMessage(path: string, text: string): string {
  if (path === "") return messages.truncateText(text, itemMessageMax);
  const shortText = messages.truncateText(text, itemMessageMax - Math.min(path.length, itemPathMin) - 2);
  return `${truncateMiddle(path, itemMessageMax - shortText.length - 2)}: ${shortText}`;
}

function truncateMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  const half = Math.floor((max - 1) / 2);
  return `${text.slice(0, half).replace(/[\ud800-\udbff]$/, "")}…${text.slice(-half).replace(/^[\udc00-\udfff]/, "")}`;
}

/** Returns the number of leading items that have at most `max` bytes together; at least one. */
function fittingCount<Item>(items: readonly Item[], countBytes: (item: Item) => number, max: number): number {
  let bytes = 0;
  const first = items.findIndex((item, index) => {
    bytes += countBytes(item);
    return bytes > max && index > 0;
  });
  return first < 0 ? items.length : first;
}
