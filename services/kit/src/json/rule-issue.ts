// Converts violations to issues: maps protovalidate's rule ids to codes and messages.

import { ScalarType } from "@bufbuild/protobuf";
import { allowedTexts, allowedValues, getBounds, getRules } from "./constraints.ts";
import type { FieldLocation } from "./field-location.ts";
import { type IssueCode, issueCodes } from "./issue.ts";
import * as messages from "./issue-messages.ts";

export interface IssueText {
  code: IssueCode;
  message: string;
}

/** Converts a violation to an issue. `ruleId` and `message` are the violation's. */
export function ruleIssue(ruleId: string, message: string, location: FieldLocation): IssueText {
  const fallback: IssueText = { code: "custom", message };
  const size = sizeRules.get(ruleId);
  if (size !== undefined) return sizeIssue(size, fallback, location);
  const dot = ruleId.indexOf(".");
  const rule = ruleId.slice(dot + 1);
  switch (ruleId.slice(0, Math.max(dot, 0))) {
    case "":
      if (rule === "required") return requiredIssue(location);
      // A violation found by a service may have an issue code as its rule id.
      return { code: issueCodes.find((code) => code === rule) ?? "custom", message };
    case "string":
      return stringIssue(rule, fallback, location);
    case "enum":
      return enumIssue(location);
    case "message":
      return rule === "oneof" ? { code: "custom", message: inJsonNames(message, location) } : fallback;
    case "float":
    case "double":
    case "int32":
    case "int64":
    case "uint32":
    case "uint64":
    case "sint32":
    case "sint64":
    case "fixed32":
    case "fixed64":
    case "sfixed32":
    case "sfixed64":
      return numberIssue(rule, fallback, location);
    default:
      return fallback;
  }
}

interface SizeRule {
  code: IssueCode;
  what: messages.Measured;
  how: "at least" | "at most" | "exactly";
  /** Property of the rule that contains the limit. */
  limit: string;
  unit?: string;
}

const bytes = "byte(s)";
const sizeRules = new Map<string, SizeRule>([
  ["string.min_len", { code: "too_small", what: "String", how: "at least", limit: "minLen" }],
  ["string.max_len", { code: "too_big", what: "String", how: "at most", limit: "maxLen" }],
  ["string.len", { code: "too_small", what: "String", how: "exactly", limit: "len" }],
  ["string.min_bytes", { code: "too_small", what: "String", how: "at least", limit: "minBytes", unit: bytes }],
  ["string.max_bytes", { code: "too_big", what: "String", how: "at most", limit: "maxBytes", unit: bytes }],
  ["string.len_bytes", { code: "too_small", what: "String", how: "exactly", limit: "lenBytes", unit: bytes }],
  ["bytes.min_len", { code: "too_small", what: "Bytes", how: "at least", limit: "minLen" }],
  ["bytes.max_len", { code: "too_big", what: "Bytes", how: "at most", limit: "maxLen" }],
  ["bytes.len", { code: "too_small", what: "Bytes", how: "exactly", limit: "len" }],
  ["repeated.min_items", { code: "too_small", what: "Array", how: "at least", limit: "minItems" }],
  ["repeated.max_items", { code: "too_big", what: "Array", how: "at most", limit: "maxItems" }],
  ["map.min_pairs", { code: "too_small", what: "Object", how: "at least", limit: "minPairs" }],
  ["map.max_pairs", { code: "too_big", what: "Object", how: "at most", limit: "maxPairs" }],
]);

function sizeIssue(
  { code, what, how, limit, unit }: SizeRule,
  fallback: IssueText,
  location: FieldLocation,
): IssueText {
  const count = findLimit(location, limit);
  if (count === undefined) return { code, message: fallback.message };
  const isLonger = how === "exactly" && getLength(location.value) > count;
  return { code: isLonger ? "too_big" : code, message: messages.size(what, how, count, unit) };
}

function findLimit({ field, part }: FieldLocation, name: string): bigint | undefined {
  const rules = field && getRules(field, part)?.type.value;
  const limit: unknown = Object.entries(rules ?? {}).find(([key]) => key === name)?.[1];
  return typeof limit === "bigint" ? limit : undefined;
}

function getLength(value: unknown): number {
  if (typeof value === "string") return [...value].length;
  return value instanceof Uint8Array ? value.length : 0;
}

/** Builds the issue for a field that is present but empty; the reader reports absent fields. */
function requiredIssue(location: FieldLocation): IssueText {
  const { oneof, field } = location;
  if (oneof !== undefined) {
    return { code: "custom", message: messages.exactlyOneRequired(oneof.fields.map(({ jsonName }) => jsonName)) };
  }
  const atLeastOne = (what: messages.Measured, limit: string): IssueText => {
    return { code: "too_small", message: messages.size(what, "at least", findLimit(location, limit) || 1) };
  };
  if (field?.fieldKind === "list") return atLeastOne("Array", "minItems");
  if (field?.fieldKind === "map") return atLeastOne("Object", "minPairs");
  if (field?.scalar === ScalarType.STRING) return atLeastOne("String", "minLen");
  if (field?.scalar === ScalarType.BYTES) return atLeastOne("Bytes", "minLen");
  return { code: "invalid_type", message: messages.required };
}

/** zod's messages for formats; other string rules have their own message. */
const stringFormats = new Map([
  ["pattern", "Invalid"],
  ["email", "Invalid email"],
  ["uri", "Invalid url"],
  ["uri_ref", "Invalid url"],
  ["uuid", "Invalid UUID"],
  ["hostname", "Invalid hostname"],
  ["ip", "Invalid ip"],
  ["ipv4", "Invalid ip"],
  ["ipv6", "Invalid ip"],
]);

function stringIssue(rule: string, fallback: IssueText, { field, part, value }: FieldLocation): IssueText {
  if (rule === "const" || rule === "not_in") return fallback;
  if (rule === "in" && field !== undefined) {
    const received = typeof value === "string" ? value : undefined;
    return {
      code: "invalid_enum_value",
      message: messages.invalidEnumValue(allowedTexts(getRules(field, part)), received),
    };
  }
  // The ids of rules for empty strings have a suffix: `email_empty`.
  return { code: "invalid_string", message: stringFormats.get(rule.replace(/_empty$/, "")) ?? fallback.message };
}

function enumIssue({ field, part, value }: FieldLocation): IssueText {
  // A value of 0 means that the field is absent.
  if (value === 0) return { code: "invalid_type", message: messages.required };
  const names = field === undefined ? [] : [...allowedValues(field, part).keys()];
  return { code: "invalid_enum_value", message: messages.invalidEnumValue(names) };
}

function numberIssue(rule: string, fallback: IssueText, { field, part, value }: FieldLocation): IssueText {
  if (rule === "finite") {
    return { code: "invalid_type", message: messages.expected("number", value ?? Number.POSITIVE_INFINITY) };
  }
  const { lower, upper } = getBounds(field && getRules(field, part));
  const isNumber = typeof value === "number" || typeof value === "bigint";
  const isBelow = isNumber && lower && (lower.isInclusive ? value < lower.value : value <= lower.value);
  const isAbove = isNumber && upper && (upper.isInclusive ? value > upper.value : value >= upper.value);
  if (lower && (/^gte?$/.test(rule) || (/^gte?_lte?$/.test(rule) && isBelow))) {
    return { code: "too_small", message: messages.numberAtLeast(lower.value, lower.isInclusive) };
  }
  if (upper && (/^lte?$/.test(rule) || (/^gte?_lte?$/.test(rule) && isAbove))) {
    return { code: "too_big", message: messages.numberAtMost(upper.value, upper.isInclusive) };
  }
  return fallback;
}

/** Replaces proto names with JSON names in protovalidate's message. */
function inJsonNames(message: string, location: FieldLocation): string {
  const names = new Map(location.message?.fields.map(({ name, jsonName }) => [name, jsonName]));
  const renamed = message.replace(/\w+/g, (word) => names.get(word) ?? word);
  return renamed.charAt(0).toUpperCase() + renamed.slice(1);
}
