// protovalidate's rules as JSON Schema keywords. Comments describe rules without a keyword (byte lengths, CEL).

import { getExtension, hasExtension, isFieldSet, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import {
  Ignore,
  type MapRules,
  MapRulesSchema,
  type RepeatedRules,
  RepeatedRulesSchema,
  type StringRules,
  StringRulesSchema,
} from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { type FieldRules, getBounds, listAllowedNumbers } from "@ems/kit/json/constraints";
import { id, trace_id } from "@ems/proto/rest/v1/rest";

/** Converts `rules` of a field, of the items of a list, or of the keys or values of a map. */
export function ruleKeywords(rules: FieldRules | undefined): JsonObject {
  if (rules === undefined || rules.ignore === Ignore.ALWAYS) return {};
  switch (rules.type.case) {
    case undefined:
      return {};
    case "string":
      return stringKeywords(rules.type.value);
    case "repeated":
      return listKeywords(rules.type.value);
    case "map":
      return mapKeywords(rules.type.value);
    default:
      return numberKeywords(rules);
  }
}

function stringKeywords(rules: StringRules): JsonObject {
  const { field } = StringRulesSchema;
  const format = getFormat(rules);
  const isLen = isFieldSet(rules, field.len);
  return {
    ...(format !== undefined && { format }),
    ...(isFieldSet(rules, field.const) && { const: rules.const }),
    ...(rules.in.length > 0 && { enum: rules.in }),
    ...(rules.notIn.length > 0 && { not: { enum: rules.notIn } }),
    ...(isLen && { minLength: Number(rules.len), maxLength: Number(rules.len) }),
    ...(isFieldSet(rules, field.minLen) && { minLength: Number(rules.minLen) }),
    ...(isFieldSet(rules, field.maxLen) && { maxLength: Number(rules.maxLen) }),
    ...(isFieldSet(rules, field.pattern) && { pattern: rules.pattern }),
    ...(hasExtension(rules, trace_id) && { pattern: traceIds }),
  };
}

/** Pattern of a UUID, or of the 32 digits of an OpenTelemetry trace ID. */
const traceIds =
  "^(?:[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|[0-9a-fA-F]{32})$";

const formats: Readonly<Record<string, string>> = {
  email: "email",
  hostname: "hostname",
  ipv4: "ipv4",
  ipv6: "ipv6",
  uri: "uri",
  uriRef: "uri-reference",
  uuid: "uuid",
};

function getFormat(rules: StringRules): string | undefined {
  if (hasExtension(rules, id) && getExtension(rules, id)) return "uuid";
  const { case: name, value } = rules.wellKnown;
  return name === undefined || value === false ? undefined : formats[name];
}

function listKeywords(rules: RepeatedRules): JsonObject {
  const { field } = RepeatedRulesSchema;
  return {
    ...(isFieldSet(rules, field.minItems) && { minItems: Number(rules.minItems) }),
    ...(isFieldSet(rules, field.maxItems) && { maxItems: Number(rules.maxItems) }),
    ...(rules.unique && { uniqueItems: true }),
  };
}

function mapKeywords(rules: MapRules): JsonObject {
  const { field } = MapRulesSchema;
  const keys = ruleKeywords(rules.keys);
  return {
    ...(isFieldSet(rules, field.minPairs) && { minProperties: Number(rules.minPairs) }),
    ...(isFieldSet(rules, field.maxPairs) && { maxProperties: Number(rules.maxPairs) }),
    ...(Object.keys(keys).length > 0 && { propertyNames: keys }),
  };
}

function numberKeywords(rules: FieldRules): JsonObject {
  const { lower, upper } = getBounds(rules);
  const values = listAllowedNumbers(rules);
  const keyword = (name: string, value: number | bigint): [string, JsonValue] => [name, Number(value)];
  return Object.fromEntries([
    ...(lower ? [keyword(lower.isInclusive ? "minimum" : "exclusiveMinimum", lower.value)] : []),
    ...(upper ? [keyword(upper.isInclusive ? "maximum" : "exclusiveMaximum", upper.value)] : []),
    ...(values.length > 0 ? [["enum", values.map(Number)] as const] : []),
  ]);
}
