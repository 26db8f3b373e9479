// Describes the rules of a request field in words, from the JSON Schema that gateway/src/openapi derives from the rules.

import type { DescField, JsonObject, JsonValue } from "@bufbuild/protobuf";
import { messagesOfField } from "@ems/gateway/openapi/message-rules";
import { NamedSchemas } from "@ems/gateway/openapi/named-schemas";
import { parameterSchema, requiredFields } from "@ems/gateway/openapi/schema";

/** Returns a text such as "required; 1 to 200 characters"; empty without rules. */
export function rulesOfField(field: DescField): string {
  const rules = schemaRules(parameterSchema(new NamedSchemas(), field));
  // For google.protobuf.Value, the schema already contains the rules.
  const isValue = field.message?.typeName === "google.protobuf.Value";
  const messages = isValue ? [] : messagesOfField(field).map((message) => message.replace(/\.$/, ""));
  const required = requiredFields(field.parent).has(field) ? ["required"] : [];
  return [...new Set([...required, ...rules, ...messages])].join("; ");
}

export function schemaRules(schema: JsonObject): string[] {
  const { type, format, pattern, items, additionalProperties, propertyNames } = schema;
  const ofMap = isObject(additionalProperties) ? schemaRules(additionalProperties) : [];
  return [
    ...(Array.isArray(type) ? [type.join(" or ")] : []),
    ...(Array.isArray(schema.enum) ? [`one of ${schema.enum.filter((value) => value !== null).join(", ")}`] : []),
    ...("const" in schema ? [`must be ${JSON.stringify(schema.const)}`] : []),
    ...(format === "uuid" ? ["a UUID"] : []),
    ...(typeof format === "string" && textFormats.has(format) ? [`format ${format}`] : []),
    ...(typeof pattern === "string" && !pattern.includes("\\u0000") ? [`matches ${pattern}`] : []),
    // Omit the length if there is a format, such as UUID, because it implies the length.
    ...(format === undefined ? range(schema.minLength, schema.maxLength, "characters") : []),
    ...range(schema.minItems, schema.maxItems, "elements"),
    ...(schema.uniqueItems ? ["without duplicates"] : []),
    ...range(schema.minProperties, schema.maxProperties, "pairs"),
    ...range(schema.minimum, schema.maximum),
    ...(schema.exclusiveMinimum === undefined ? [] : [`greater than ${schema.exclusiveMinimum}`]),
    ...(schema.exclusiveMaximum === undefined ? [] : [`less than ${schema.exclusiveMaximum}`]),
    ...each("each element", isObject(items) ? schemaRules(items) : []),
    ...each("each key", isObject(propertyNames) ? schemaRules(propertyNames) : []),
    ...each("each value", ofMap),
  ];
}

const textFormats = new Set(["email", "hostname", "ipv4", "ipv6", "uri", "uri-reference"]);

function range(min: JsonValue | undefined, max: JsonValue | undefined, unit = ""): string[] {
  const text = (words: string, last: JsonValue) => [`${words} ${last === 1 ? unit.replace(/s$/, "") : unit}`.trim()];
  if (min === undefined && max === undefined) return [];
  if (min === undefined) return text(`at most ${max}`, max ?? 0);
  if (max === undefined) return text(`at least ${min}`, min);
  return text(min === max ? `exactly ${min}` : `${min} to ${max}`, max);
}

function each(what: string, rules: readonly string[]): string[] {
  return rules.length === 0 ? [] : [`${what}: ${rules.join(", ")}`];
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
