// JSON Schema of one field's value, regardless of absence and null.

import {
  type DescEnum,
  type DescField,
  type DescMessage,
  getOption,
  type JsonObject,
  ScalarType,
} from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { isOfWords, namedValues } from "@ems/kit/enum";
import { allowedValues, getRules, isRequiredByRule, type Part } from "@ems/kit/json/constraints";
import { valueKind } from "@ems/kit/json/value-kind";
import { judged, tolerant, unix_ms } from "@ems/proto/rest/v1/rest";
import { freeValueSchema } from "./free-values.ts";
import type { NamedSchemas } from "./named-schemas.ts";
import { ruleKeywords } from "./rules.ts";
import { described, enumText } from "./text.ts";

interface Context {
  readonly side: "request" | "response";
  readonly schemas: NamedSchemas;
  readonly buildRef: (message: DescMessage) => JsonObject;
}

export function fieldSchema(field: DescField, context: Context): JsonObject {
  // `required` on a field without presence means: not empty.
  const isNotEmpty = isRequiredByRule(field) && field.presence === FeatureSet_FieldPresence.IMPLICIT;
  const keywords = ruleKeywords(getRules(field));
  if (field.fieldKind === "list") {
    return {
      type: "array",
      items: valueSchema(field, "items", context),
      ...(context.side === "request" && getOption(field, tolerant) !== "" && { "x-tolerant": true }),
      ...((isNotEmpty || getOption(field, judged).notEmpty) && { minItems: 1 }),
      ...keywords,
    };
  }
  if (field.fieldKind === "map") {
    const additionalProperties = valueSchema(field, "values", context);
    return { type: "object", additionalProperties, ...(isNotEmpty && { minProperties: 1 }), ...keywords };
  }
  const schema = valueSchema(field, "field", context);
  const isText = field.scalar === ScalarType.STRING && schema.minLength === undefined;
  return { ...schema, ...(isText && isNotEmpty && { minLength: 1 }) };
}

/** Schema of the field itself, each item of a list or each value of a map. */
function valueSchema(field: DescField, part: Part, { side, schemas, buildRef }: Context): JsonObject {
  const kind = valueKind(field);
  switch (kind.kind) {
    case "scalar": {
      const keywords = { ...ruleKeywords(getRules(field, part)), ...judgedKeywords(field) };
      if (side === "request")
        return withoutNul({ ...scalarSchema(kind.scalar), ...getRange(kind.scalar), ...keywords });
      return { ...scalarSchema(kind.scalar), ...(isNamedAsId(field) && { format: "uuid" }), ...keywords };
    }
    case "enum":
      return enumSchema(kind.enum, [...allowedValues(field, part).keys()], schemas);
    case "message":
      return buildRef(kind.message);
    case "inline":
      return fieldSchema(kind.inner, { side, schemas, buildRef });
    case "timestamp":
      // The text may be a number of milliseconds, too.
      // Milliseconds are also accepted as text, which clients need not know.
      return { type: getOption(field, unix_ms) ? ["string", "number"] : "string", format: "date-time" };
    case "struct":
      return { type: "object", additionalProperties: true };
    case "value":
      return side === "request" && part === "field" ? freeValueSchema(field) : {};
    case "listValue":
      return { type: "array", items: {} };
  }
}

/** Excludes NUL from text; enum values, formats and patterns already exclude it. */
function withoutNul(schema: JsonObject): JsonObject {
  const isFree =
    schema.type === "string" && !["enum", "const", "format", "pattern", "contentEncoding"].some((key) => key in schema);
  return isFree ? { ...schema, pattern: "^[^\\u0000]*$" } : schema;
}

/** Keywords for values that the service checks itself, without a rule in the proto. */
function judgedKeywords(field: DescField): JsonObject {
  return getOption(field, judged).in.length > 0 ? { enum: getOption(field, judged).in } : {};
}

function scalarSchema(scalar: ScalarType): JsonObject {
  switch (scalar) {
    case ScalarType.STRING:
      return { type: "string" };
    case ScalarType.BYTES:
      return { type: "string", contentEncoding: "base64" };
    case ScalarType.BOOL:
      return { type: "boolean" };
    case ScalarType.DOUBLE:
      return { type: "number", format: "double" };
    case ScalarType.FLOAT:
      return { type: "number", format: "float" };
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return { type: "integer", format: "int32" };
    default:
      return { type: "integer", format: "int64" };
  }
}

/** Returns the range of the JSON codec, unless the format already implies it. */
function getRange(scalar: ScalarType): JsonObject {
  switch (scalar) {
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return { minimum: 0, maximum: 2 ** 32 - 1 };
    // JSON numbers are exact up to 2^53 - 1.
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return { minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
    default:
      return {};
  }
}

/** Returns a named schema; an inline one for an enum of words and for a subset of the enum's values. */
function enumSchema(desc: DescEnum, names: string[], schemas: NamedSchemas): JsonObject {
  const schema = { type: "string", enum: names };
  if (isOfWords(desc) || names.length < namedValues(desc).length) return schema;
  return schemas.ref(`enum ${desc.typeName}`, [desc.name], () => ({ ...schema, ...described(enumText(desc)) }));
}

/** IDs that are not UUIDs: of organizations, users and external systems. */
const opaqueIds = /^(?:org|access_key|user|external|reference|scrape_job|model|tool_call)_id$/;
const opaqueIdFields: ReadonlySet<string> = new Set([
  "ems.type.v1.UserReference.id",
  "ems.identity.v1.User.id",
  "ems.experiments.v1.TraceStep.id",
  "ems.experiments.v1.TraceStep.parent_id",
  "ems.reporting.v1.ReportColumn.id",
  "ems.reporting.v1.DatasourceColumn.id",
]);

/** True if the field's name ends like that of a UUID: response fields have no rules that say so. */
function isNamedAsId({ name, parent, scalar }: DescField): boolean {
  if (scalar !== ScalarType.STRING || opaqueIds.test(name)) return false;
  return /(?:^|_)ids?$/.test(name) && !opaqueIdFields.has(`${parent.typeName}.${name}`);
}
