// Broken rules as issues, whether found here or told by a service.

import type { DescMessage, Message, MessageShape } from "@bufbuild/protobuf";
import type { Violation } from "@bufbuild/protovalidate";
import { type Violations, ViolationsSchema } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { echoedPath, gatheredMax, type Issue } from "./issue.ts";
import { type Place, placeOf, placeOfPath, placeOfRule } from "./place.ts";
import { ruleIssue } from "./rule-issue.ts";

/** `message` is what broke the rules; without it, values are not told, and a range not which of its ends. */
export function issuesFromViolations(desc: DescMessage, violations: readonly Violation[], message?: Message): Issue[] {
  return violations
    .slice(0, gatheredMax)
    .map((violation) => issueOf(violation, placeOf(violation, desc, message), desc, message));
}

/** The same from a service's error. Without `desc`, the request's type, fields are called as proto calls them. */
export function issuesFromWire({ violations }: Violations, desc?: DescMessage, message?: Message): Issue[] {
  return violations
    .slice(0, gatheredMax)
    .map((violation) =>
      issueOf(violation, placeOfPath(violation.field, violation.forKey, desc, message), desc, message),
    );
}

type Broken = Pick<Violation, "ruleId" | "message">;

function issueOf(broken: Broken, ruled: Place, desc?: DescMessage, message?: Message): Issue {
  const place = placeOfRule(broken.ruleId, ruled, desc, message);
  return { ...ruleIssue(broken.ruleId, broken.message, place), path: echoedPath(place.path) };
}

/** A ConnectError, as far as it matters here. */
interface ErrorWithDetails {
  findDetails<Desc extends DescMessage>(desc: Desc): MessageShape<Desc>[];
}

/** All issues that an error carries. */
export function issuesOfError(error: ErrorWithDetails, desc?: DescMessage, message?: Message): Issue[] {
  return error.findDetails(ViolationsSchema).flatMap((details) => issuesFromWire(details, desc, message));
}
