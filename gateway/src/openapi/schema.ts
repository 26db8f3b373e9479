// Messages as JSON Schema 2020-12, as kit's JSON codec reads and writes them. Request schemas are closed; response
// schemas are open, since fields may be added.

import { create, type DescField, type DescMessage, getOption, type JsonObject } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { isRequired } from "@ems/kit/json/constraints";
import { findViolations } from "@ems/kit/json/validate";
import { isNullValue, valueKind } from "@ems/kit/json/value-kind";
import { internal, omitted, open, sparse } from "@ems/proto/rest/v1/rest";
import { messageKeywords } from "./message-rules.ts";
import type { NamedSchemas } from "./named-schemas.ts";
import { described, fieldText, messageText } from "./text.ts";
import { fieldSchema } from "./value-schema.ts";

/** Schema of a request body, without path parameters. A message that is also in responses is named `…Input`. */
export function requestSchema(
  schemas: NamedSchemas,
  message: DescMessage,
  inPath: readonly DescField[] = [],
): JsonObject {
  return schemas.ref(`request ${message.typeName}`, listNames(message, "Input"), () => {
    const fields = publicFields(message).filter((field) => !inPath.includes(field));
    const required = requiredFields(message);
    return {
      ...objectSchema(message, fields, (field) => {
        const schema = parameterSchema(schemas, field);
        return required.has(field) || isFreeValue(field) ? schema : nullable(schema);
      }),
      ...requiredKeyword(fields.filter((field) => required.has(field))),
      ...messageKeywords(
        message,
        fields.some((field) => required.has(field)),
      ),
      additionalProperties: getOption(message, open),
    };
  });
}

/** Schema of a multipart/form-data form: the message's fields and a file. */
export function formSchema(schemas: NamedSchemas, message: DescMessage): JsonObject {
  const fields = objectSchema(message, publicFields(message), (field) => parameterSchema(schemas, field));
  const file = { type: "string", format: "binary", description: "The file." };
  return { ...fields, properties: { file, ...(fields.properties as JsonObject) }, required: ["file"] };
}

/** Schema of a response, or of a message nested in one. */
export function responseSchema(schemas: NamedSchemas, message: DescMessage, isEnvelope = true): JsonObject {
  const buildRef = (nested: DescMessage) => responseSchema(schemas, nested, false);
  return schemas.ref(`response ${message.typeName}`, listNames(message, "Output"), () => ({
    ...objectSchema(message, publicFields(message), (field) => {
      const schema = fieldSchema(field, { side: "response", schemas, buildRef });
      return mayBeNull(field, isEnvelope) ? nullable(schema) : schema;
    }),
    ...requiredKeyword(publicFields(message).filter(isAlwaysWritten)),
  }));
}

/** Schema of a path or query parameter, or of a body's property, without null. */
export function parameterSchema(schemas: NamedSchemas, field: DescField): JsonObject {
  const buildRef = (nested: DescMessage) => requestSchema(schemas, nested);
  return fieldSchema(field, { side: "request", schemas, buildRef });
}

/** Finds required fields: those whose rules the empty message violates. */
export function requiredFields(message: DescMessage): ReadonlySet<DescField> {
  const broken = new Set(findViolations(message, create(message)).map(({ field: [first] }) => first));
  return new Set(message.fields.filter((field) => isRequired(field) || broken.has(field)));
}

/**
 * True if a response field may be null: scalars and enums declared `optional`; messages declared `optional` or without
 * `required`, except timestamps and the contents of an envelope.
 */
function mayBeNull(field: DescField, isEnvelope: boolean): boolean {
  if (!hasPresence(field) || !isAlwaysWritten(field)) return false;
  if (field.proto.proto3Optional) return true;
  return field.fieldKind === "message" && !isEnvelope && !isRequired(field) && valueKind(field).kind !== "timestamp";
}

/**
 * False for fields that may be absent: members of a oneof, fields whose own value may be null, `omitted` fields, and
 * unset fields of a sparse message.
 */
function isAlwaysWritten(field: DescField): boolean {
  if (field.oneof !== undefined || isNullValue(field) || getOption(field, omitted)) return false;
  return !getOption(field.parent, sparse) || !hasPresence(field) || isRequired(field);
}

function publicFields({ fields }: DescMessage): DescField[] {
  return fields.filter((field) => !getOption(field, internal));
}

function isFreeValue(field: DescField): boolean {
  return field.fieldKind === "message" && valueKind(field).kind === "value";
}

function hasPresence({ presence }: DescField): boolean {
  return presence !== FeatureSet_FieldPresence.IMPLICIT;
}

function nullable(schema: JsonObject): JsonObject {
  const { type, enum: values } = schema;
  if (type === undefined) return { anyOf: [schema, { type: "null" }] };
  return { ...schema, type: [type, "null"].flat(), ...(Array.isArray(values) && { enum: [...values, null] }) };
}

function objectSchema(
  message: DescMessage,
  fields: readonly DescField[],
  buildSchema: (field: DescField) => JsonObject,
): JsonObject {
  const properties = fields.map((field) => [field.jsonName, { ...buildSchema(field), ...described(fieldText(field)) }]);
  return { type: "object", ...described(messageText(message)), properties: Object.fromEntries(properties) };
}

function requiredKeyword(fields: readonly DescField[]): JsonObject {
  return fields.length > 0 ? { required: fields.map(({ jsonName }) => jsonName) } : {};
}

/** Lists candidates for the schema's name: plain, then with the direction, then with the service. */
function listNames({ name, file }: DescMessage, direction: string): string[] {
  const [, service = ""] = file.proto.package.split(".");
  const prefix = service.charAt(0).toUpperCase() + service.slice(1);
  return [name, `${name}${direction}`, `${prefix}${name}`, `${prefix}${name}${direction}`];
}
