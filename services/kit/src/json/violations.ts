// Broken rules as issues, whether found here or told by a service.

import type { DescMessage, Message, MessageShape } from "@bufbuild/protobuf";
import type { Violation } from "@bufbuild/protovalidate";
import { type Violations, ViolationsSchema } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { type Issue, issuesMax } from "./issue.ts";
import { type Place, placeOf, placeOfPath } from "./place.ts";
import { ruleIssue } from "./rule-issue.ts";

/** `message` is what broke the rules; without it, values are not told, and a range not which of its ends. */
export function issuesFromViolations(desc: DescMessage, violations: readonly Violation[], message?: Message): Issue[] {
  return violations.slice(0, issuesMax).map((violation) => {
    const place = placeOf(violation, desc, message);
    return issueOf(violation, place);
  });
}

/** The same from a service's error. Without `desc`, the request's type, fields are called as proto calls them. */
export function issuesFromWire({ violations }: Violations, desc?: DescMessage, message?: Message): Issue[] {
  return violations.slice(0, issuesMax).map((violation) => {
    const place = placeOfPath(violation.field, violation.forKey, desc, message);
    return issueOf(violation, place);
  });
}

function issueOf({ ruleId, message }: { ruleId: string; message: string }, place: Place): Issue {
  return { ...ruleIssue(ruleId, message, place), path: [...place.path, ...fieldMeant(ruleId, place)] };
}

/** A rule of a whole message has no field; it names the one to correct with the start of its id: `prompts.static`. */
function fieldMeant(ruleId: string, { message, oneof }: Place): string[] {
  const name = ruleId.slice(0, Math.max(ruleId.indexOf("."), 0));
  // `message.…` are protovalidate's own.
  if (oneof !== undefined || name === "message") return [];
  return message?.fields.filter((field) => field.name === name).map(({ jsonName }) => jsonName) ?? [];
}

/** A ConnectError, as far as it matters here. */
interface ErrorWithDetails {
  findDetails<Desc extends DescMessage>(desc: Desc): MessageShape<Desc>[];
}

/** All issues that an error carries. */
export function issuesOfError(error: ErrorWithDetails, desc?: DescMessage, message?: Message): Issue[] {
  return error.findDetails(ViolationsSchema).flatMap((details) => issuesFromWire(details, desc, message));
}
