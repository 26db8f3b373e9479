// Lists in which an invalid element does not reject the request (ems.rest.v1.tolerant): it is replaced by an empty
// message whose internal field contains the error.

import { create, type DescField, type DescMessage, getOption, type Message } from "@bufbuild/protobuf";
import type { Violation } from "@bufbuild/protovalidate";
import { itemMessageMax } from "@ems/proto/limits";
import { tolerant } from "@ems/proto/rest/v1/rest";
import { IssueList, type Issues } from "./issue.ts";
import type { ReadJson, ValueReader } from "./read-scalar.ts";
import { itemMessage } from "./truncate.ts";
import { issuesFromViolations } from "./violations.ts";

const textFields = new WeakMap<DescField, string>();

/** Returns the internal error field of a tolerant list's elements, or "". Cached: reading an option takes 100 µs. */
function getTextField(list: DescField): string {
  let name = textFields.get(list);
  if (name === undefined) {
    name = getOption(list, tolerant);
    textFields.set(list, name);
  }
  return name;
}

/** Creates the reader of a list's elements; for a tolerant list it never adds an issue. */
export function tolerantReader(field: DescField, reader: ValueReader): ValueReader {
  const textField = getTextField(field);
  const { message } = field;
  if (textField === "" || message === undefined) return reader;
  const json: ReadJson = (value, _issues) => {
    const own = new IssueList();
    const element = reader.json(value, own);
    return own.issues.length === 0 ? element : rejected(message, textField, own);
  };
  return { ...reader, json };
}

/** Replaces the elements of the message's tolerant lists that violate rules; returns the other violations. */
export function rejectElements(desc: DescMessage, message: Message, violations: readonly Violation[]): Violation[] {
  const byElement = new Map<string, { list: DescField; index: number; violations: Violation[] }>();
  const remaining: Violation[] = [];
  for (const violation of violations) {
    const [list, element] = violation.field;
    if (list?.kind !== "field" || element?.kind !== "list_sub" || getTextField(list) === "") {
      remaining.push(violation);
      continue;
    }
    const key = `${list.name}/${element.index}`;
    const rejection = byElement.get(key) ?? { list, index: element.index, violations: [] };
    rejection.violations.push(violation);
    byElement.set(key, rejection);
  }
  for (const { list, index, violations: broken } of byElement.values()) {
    // The element's text omits the list's path.
    const listed = issuesFromViolations(desc, broken, message);
    const issues = listed.map(({ path, ...issue }) => ({ ...issue, path: path.slice(2) }));
    const omitted = broken.length - listed.length;
    const elements = Reflect.get(message, list.localName) as Message[];
    if (list.message !== undefined) elements[index] = rejected(list.message, getTextField(list), { issues, omitted });
  }
  return remaining;
}

function rejected(element: DescMessage, textField: string, issues: Issues): Message {
  const field = element.fields.find(({ name }) => name === textField);
  if (field === undefined) throw new Error(`${element.typeName} has no field ${textField}`);
  return create(element, { [field.localName]: formatIssues(issues) });
}

/** Maximum issues in an element's text. */
const issuesInText = 5;

/** Formats the first issues as one text, with the number of omitted ones. */
function formatIssues({ issues, omitted }: Issues): string {
  const total = issues.length + omitted;
  const texts = issues.slice(0, issuesInText).map(({ path, message }) => itemMessage(path.join("."), message));
  const joined = (count: number) => texts.slice(0, count).join("; ") + (count < total ? `; ${total - count} more` : "");
  for (let count = texts.length; count > 1; count -= 1) {
    if (joined(count).length <= itemMessageMax) return joined(count);
  }
  return joined(1).length <= itemMessageMax ? joined(1) : (texts[0] ?? "");
}
