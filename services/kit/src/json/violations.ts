// Converts violations to issues, whether found here or received from a service.

import type { DescMessage, Message, MessageShape } from "@bufbuild/protobuf";
import type { Violation } from "@bufbuild/protovalidate";
import {
  type Violation as ViolationMessage,
  ViolationsSchema,
} from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { type FieldLocation, locatePath, locateRule, locateViolation } from "./field-location.ts";
import { echoedPath, type Issue, issuesMax } from "./issue.ts";
import { ruleIssue } from "./rule-issue.ts";

/**
 * Lists the first issues. Without `message` they have no values, and range issues do not say which bound was exceeded.
 */
export function issuesFromViolations(desc: DescMessage, violations: readonly Violation[], message?: Message): Issue[] {
  return violations
    .slice(0, issuesMax)
    .map((violation) => toIssue(violation, locateViolation(violation, desc, message), desc, message));
}

/** Converts violations received from a service. Without `desc`, the request's type, fields have proto names. */
export function issuesFromWire(
  { violations }: { readonly violations: readonly ViolationMessage[] },
  desc?: DescMessage,
  message?: Message,
): Issue[] {
  return violations
    .slice(0, issuesMax)
    .map((violation) =>
      toIssue(violation, locatePath(violation.field, violation.forKey, desc, message), desc, message),
    );
}

type RuleViolation = Pick<Violation, "ruleId" | "message">;

function toIssue(violation: RuleViolation, ruleLocation: FieldLocation, desc?: DescMessage, message?: Message): Issue {
  const location = locateRule(violation.ruleId, ruleLocation, desc, message);
  return { ...ruleIssue(violation.ruleId, violation.message, location), path: echoedPath(location.path) };
}

interface ErrorWithDetails {
  findDetails<Desc extends DescMessage>(desc: Desc): MessageShape<Desc>[];
}

export function hasViolations(error: ErrorWithDetails): boolean {
  return error.findDetails(ViolationsSchema).length > 0;
}

/** Lists the issues that an error contains. */
export function issuesOfError(error: ErrorWithDetails, desc?: DescMessage, message?: Message): Issue[] {
  return error.findDetails(ViolationsSchema).flatMap((details) => issuesFromWire(details, desc, message));
}
