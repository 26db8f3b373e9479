// Rules declared for a field, for messages of issues and for OpenAPI schemas. protovalidate evaluates them.

import { type DescField, getExtension, getOption, hasExtension, isFieldSet } from "@bufbuild/protobuf";
import {
  EnumRulesSchema,
  type FieldRules,
  field as fieldRules,
  Ignore,
} from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { given, id, telemetry, trace_id } from "@ems/proto/rest/v1/rest";
import { namedValues } from "../enum.ts";

export type { FieldRules };

/** Target of rules: a field, the elements of a list, or the keys or values of a map. */
export type Part = "field" | "items" | "keys" | "values";

export function getRules(field: DescField, part: Part = "field"): FieldRules | undefined {
  const rules = getOption(field, fieldRules);
  if (part === "field") return rules;
  if (part === "items") return rules.type.case === "repeated" ? rules.type.value.items : undefined;
  return rules.type.case === "map" ? rules.type.value[part] : undefined;
}

/** Returns true if the string is a resource id, or a trace's id in digits. */
export function isId(rules: FieldRules | undefined): boolean {
  if (rules?.type.case !== "string") return false;
  const { value } = rules.type;
  return [id, trace_id].some((rule) => hasExtension(value, rule) && getExtension(value, rule));
}

/** Returns true if the field's texts may contain characters that cannot be stored: they are telemetry. */
export function isTelemetry(field: DescField): boolean {
  return getOption(field.parent, telemetry);
}

/** Returns true if the field is required. */
export function isRequired(field: DescField): boolean {
  return getOption(field, given) || isRequiredByRule(field);
}

/** Returns true if protovalidate's rule requires the field: a field without presence must be present and not empty. */
export function isRequiredByRule(field: DescField): boolean {
  const { required, ignore } = getOption(field, fieldRules);
  return required && ignore !== Ignore.ALWAYS;
}

/** Returns the maximum number of elements of a list. */
export function itemsMax(field: DescField): number {
  const { type } = getOption(field, fieldRules);
  const isLimited = type.case === "repeated" && type.value.maxItems !== 0n;
  return isLimited ? Number(type.value.maxItems) : Number.POSITIVE_INFINITY;
}

/** Returns the maximum number of pairs of a map. */
export function pairsMax(field: DescField): number {
  const { type } = getOption(field, fieldRules);
  const isLimited = type.case === "map" && type.value.maxPairs !== 0n;
  return isLimited ? Number(type.value.maxPairs) : Number.POSITIVE_INFINITY;
}

export interface Bound {
  value: number | bigint;
  isInclusive: boolean;
}

export interface Bounds {
  lower?: Bound;
  upper?: Bound;
}

/** Returns the range of a number. */
export function getBounds(rules: FieldRules | undefined): Bounds {
  const number = numberRules(rules);
  if (number === undefined) return {};
  const { greaterThan: lower, lessThan: upper } = number;
  return {
    ...(lower.case !== undefined && { lower: { value: lower.value, isInclusive: lower.case === "gte" } }),
    ...(upper.case !== undefined && { upper: { value: upper.value, isInclusive: upper.case === "lte" } }),
  };
}

/** Lists the allowed values of a number; empty if all within its bounds are allowed. */
export function listAllowedNumbers(rules: FieldRules | undefined): readonly (number | bigint)[] {
  return numberRules(rules)?.in ?? [];
}

function numberRules(rules: FieldRules | undefined) {
  switch (rules?.type.case) {
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
      return rules.type.value;
    default:
      return undefined;
  }
}

/** Returns the allowed values of an enum field, by JSON name. */
export function allowedValues(field: DescField, part: Part): Map<string, number> {
  const type = getRules(field, part)?.type;
  const rules = type?.case === "enum" ? type.value : undefined;
  const isAllowed = (number: number) =>
    rules === undefined ||
    ((rules.in.length === 0 || rules.in.includes(number)) &&
      !rules.notIn.includes(number) &&
      (!isFieldSet(rules, EnumRulesSchema.field.const) || rules.const === number));
  const values = field.enum === undefined ? [] : namedValues(field.enum);
  return new Map(values.filter(({ number }) => isAllowed(number)).map(({ name, number }) => [name, number]));
}

/** Lists the allowed values of a string field, if its rules have such a list. */
export function allowedTexts(rules: FieldRules | undefined): string[] {
  return rules?.type.case === "string" ? rules.type.value.in : [];
}
