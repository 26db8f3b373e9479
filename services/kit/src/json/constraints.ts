// The rules that a field declares, for messages of issues and for OpenAPI schemas. protovalidate evaluates them.

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

/** What rules apply to: a field, the elements of a list, or the keys or values of a map. */
export type Part = "field" | "items" | "keys" | "values";

export function rulesOf(field: DescField, part: Part = "field"): FieldRules | undefined {
  const rules = getOption(field, fieldRules);
  if (part === "field") return rules;
  if (part === "items") return rules.type.case === "repeated" ? rules.type.value.items : undefined;
  return rules.type.case === "map" ? rules.type.value[part] : undefined;
}

/** Whether the string is a resource id, or one of a trace by its digits. */
export function isId(rules: FieldRules | undefined): boolean {
  if (rules?.type.case !== "string") return false;
  const { value } = rules.type;
  return [id, trace_id].some((rule) => hasExtension(value, rule) && getExtension(value, rule));
}

/** Whether the field's texts may hold what cannot be stored: they are telemetry, and have no rule that makes them a key. */
export function isTelemetry(field: DescField, part: Part = "field"): boolean {
  return getOption(field.parent, telemetry) && rulesOf(field, part)?.type.case !== "string";
}

/** Whether the field must be given. */
export function isRequired(field: DescField): boolean {
  return getOption(field, given) || isRequiredByRule(field);
}

/** The same by protovalidate's rule: a field without presence must be given and not be empty. */
export function isRequiredByRule(field: DescField): boolean {
  const { required, ignore } = getOption(field, fieldRules);
  return required && ignore !== Ignore.ALWAYS;
}

/** The most elements that a list may have. */
export function itemsMax(field: DescField): number {
  const { type } = getOption(field, fieldRules);
  const isLimited = type.case === "repeated" && type.value.maxItems !== 0n;
  return isLimited ? Number(type.value.maxItems) : Number.POSITIVE_INFINITY;
}

/** The most pairs that a map may have. */
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

/** The range of a number. */
export function boundsOf(rules: FieldRules | undefined): Bounds {
  const number = numberRules(rules);
  if (number === undefined) return {};
  const { greaterThan: lower, lessThan: upper } = number;
  return {
    ...(lower.case !== undefined && { lower: { value: lower.value, isInclusive: lower.case === "gte" } }),
    ...(upper.case !== undefined && { upper: { value: upper.value, isInclusive: upper.case === "lte" } }),
  };
}

/** The only values that a number may have; none: all within its bounds. */
export function numbersOf(rules: FieldRules | undefined): readonly (number | bigint)[] {
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

/** The allowed values of an enum field, by their JSON names. */
export function allowedValues(field: DescField, part: Part): Map<string, number> {
  const type = rulesOf(field, part)?.type;
  const rules = type?.case === "enum" ? type.value : undefined;
  const isAllowed = (number: number) =>
    rules === undefined ||
    ((rules.in.length === 0 || rules.in.includes(number)) &&
      !rules.notIn.includes(number) &&
      (!isFieldSet(rules, EnumRulesSchema.field.const) || rules.const === number));
  const values = field.enum === undefined ? [] : namedValues(field.enum);
  return new Map(values.filter(({ number }) => isAllowed(number)).map(({ name, number }) => [name, number]));
}

/** The allowed values of a string field, when its rules list them. */
export function allowedTexts(rules: FieldRules | undefined): string[] {
  return rules?.type.case === "string" ? rules.type.value.in : [];
}
