// Checks messages that clients sent as protobuf; errors name the fields.

import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { type ConnectError, type FieldViolation, invalidFields } from "../errors.ts";
import { checkMessage } from "./check-message.ts";
import { firstIssues, type Issues } from "./issue.ts";
import { findViolations } from "./validate.ts";
import { issuesFromViolations } from "./violations.ts";

/** Throws unless REST's reader would accept the message; converts it to the form that services expect. */
export function assertReadable(desc: DescMessage, message: Message): void {
  const found = checkMessage(desc, message);
  // The service validates rules. Here, their violations are only added to a response with other issues.
  if (found.issues.length > 0) throw invalidIssues(desc, withRules(desc, message, found));
}

function withRules(desc: DescMessage, message: Message, found: Issues): Issues {
  if (found.omitted > 0) return found;
  const paths = new Set(found.issues.map(({ path }) => path.join("\n")));
  const fromRules = issuesFromViolations(desc, findViolations(desc, message), message);
  return firstIssues([...found.issues, ...fromRules.filter(({ path }) => !paths.has(path.join("\n")))]);
}

/** Error for a request with these issues, whose paths have JSON names. */
export function invalidIssues(desc: DescMessage, { issues, omitted }: Issues): ConnectError {
  const violations = issues.map(({ code, message, path }) => ({ code, message, path: protoPath(desc, path) }));
  return invalidFields(violations, omitted);
}

/** Converts an issue's path of JSON names to proto names and indexes. */
function protoPath(desc: DescMessage, path: readonly string[]): FieldViolation["path"] {
  const parts: (string | number)[] = [];
  let within: DescMessage | undefined = desc;
  let isElement = false;
  for (const part of path) {
    const field: DescField | undefined = isElement
      ? undefined
      : within?.fields.find(({ jsonName }) => jsonName === part);
    if (field !== undefined) {
      parts.push(field.name);
      within = field.message;
      isElement = field.fieldKind === "list" || field.fieldKind === "map";
    } else {
      parts.push(/^\d+$/.test(part) ? Number(part) : part);
      isElement = false;
    }
  }
  return parts;
}
