// Schema keywords for rules of a message: messages of inexpressible rules, and whether it may be empty.

import { create, type DescField, type DescMessage, getOption, hasOption, type JsonObject } from "@bufbuild/protobuf";
import { type FieldRules, message as messageRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { getRules } from "@ems/kit/json/constraints";
import { onlyOneAllowed, size } from "@ems/kit/json/issue-messages";
import { findViolations } from "@ems/kit/json/validate";
import { json_schema } from "@ems/proto/rest/v1/rest";

/** Returns keywords of a request message, in addition to its properties. */
export function messageKeywords(message: DescMessage, isAnyRequired: boolean): JsonObject {
  const rules = listRuleMessages(message);
  return {
    ...(!isAnyRequired && isRefusedEmpty(message) && { minProperties: 1 }),
    ...(hasOption(message, json_schema) && JSON.parse(getOption(message, json_schema))),
    ...(rules.length > 0 && { "x-rules": rules }),
  };
}

function isRefusedEmpty(message: DescMessage): boolean {
  return findViolations(message, create(message)).some(({ field }) => field.length === 0);
}

/** Lists the issue messages of rules without a keyword. */
export function listRuleMessages(message: DescMessage): string[] {
  const oneofMessages = message.oneofs.flatMap(({ fields }) =>
    // Skips the oneof that `optional` implies: it has only one field.
    fields.length > 1 ? [onlyOneAllowed(fields.map(({ jsonName }) => jsonName))] : [],
  );
  return [...new Set([...listOwnRuleMessages(message), ...oneofMessages, ...message.fields.flatMap(messagesOfField)])];
}

/** Lists the issue messages of rules that span several fields. */
export function listOwnRuleMessages(message: DescMessage): string[] {
  return getOption(message, messageRules).cel.map((rule) => rule.message);
}

export function messagesOfField(field: DescField): string[] {
  const parts = (["field", "items", "keys", "values"] as const).map((part) => getRules(field, part));
  return parts.flatMap((rules) => (rules === undefined ? [] : messagesOfRules(rules)));
}

function messagesOfRules({ cel, type }: FieldRules): string[] {
  const { maxBytes = 0n, minBytes = 0n } = type.case === "string" ? type.value : {};
  const messages = cel.map((rule) => rule.message);
  if (maxBytes > 0n) messages.push(size("String", "at most", maxBytes, "byte(s)"));
  if (minBytes > 0n) messages.push(size("String", "at least", minBytes, "byte(s)"));
  return messages;
}
